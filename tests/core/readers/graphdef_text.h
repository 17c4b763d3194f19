#pragma once
// Small TensorFlow graphs for tests, node by node.

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convscope::readers {

/// Writes nodes as protobuf text.
class GraphText {
 public:
  using Integers = std::vector<std::int64_t>;

  GraphText& placeholder(const std::string& name, const Integers& shape) {
    return node(name, "Placeholder", {}, type("dtype") + attribute("shape", "shape { " + dimensions(shape) + "}"));
  }
  GraphText& floats(const std::string& name, const Integers& shape, const std::vector<double>& values) {
    return constant(name, "DT_FLOAT", shape, fmt::format("float_val: [{}]", fmt::join(values, ", ")));
  }
  GraphText& integers(const std::string& name, const Integers& shape, const Integers& values) {
    return constant(name, "DT_INT32", shape, fmt::format("int_val: [{}]", fmt::join(values, ", ")));
  }
  GraphText& constant(const std::string& name, const std::string& data_type, const Integers& shape,
                      const std::string& values) {
    return node(name, "Const", {},
                attribute("value", fmt::format("tensor {{ dtype: {} tensor_shape {{ {}}} {} }}", data_type,
                                               dimensions(shape), values)));
  }
  GraphText& node(const std::string& name, const std::string& operator_name, const std::vector<std::string>& inputs,
                  const std::string& attributes = {}) {
    text_ += fmt::format("node {{ name: \"{}\" op: \"{}\" ", name, operator_name);
    for (const std::string& input : inputs) text_ += fmt::format("input: \"{}\" ", input);
    text_ += attributes + "}\n";
    return *this;
  }

  static std::string attribute(const std::string& key, const std::string& value) {
    return fmt::format("attr {{ key: \"{}\" value {{ {} }} }} ", key, value);
  }
  static std::string list(const std::string& key, const Integers& values) {
    return attribute(key, fmt::format("list {{ i: [{}] }}", fmt::join(values, ", ")));
  }
  static std::string type(const std::string& key, const std::string& data_type = "DT_FLOAT") {
    return attribute(key, "type: " + data_type);
  }
  /// Strides, padding and data_format of a window.
  static std::string window(const Integers& strides, const std::string& padding, const std::string& format = "NHWC") {
    return list("strides", strides) + attribute("padding", "s: \"" + padding + "\"") +
           attribute("data_format", "s: \"" + format + "\"");
  }

  std::string text() const { return text_ + "versions { producer: 27 }\n"; }

 private:
  static std::string dimensions(const Integers& shape) {
    std::string text;
    for (const std::int64_t size : shape) text += fmt::format("dim {{ size: {} }} ", size);
    return text;
  }

  std::string text_;
};

}  // namespace convscope::readers
