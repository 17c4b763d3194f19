#include "core/readers/onnx/node_attributes.h"

#include <cstring>
#include <span>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "core/base/text.h"
#include "core/readers/onnx/element.h"

namespace convscope::readers::onnx_format {
namespace {

using network::AttributeValue;
using network::Constant;
using network::ElementType;
using onnx::AttributeProto;

constexpr std::size_t listed_numbers = 4096;

// Files of before IR 2 state no type.
int type_of(const AttributeProto& attribute) {
  if (attribute.type() != AttributeProto::UNDEFINED) return attribute.type();
  if (attribute.has_f()) return AttributeProto::FLOAT;
  if (attribute.has_i()) return AttributeProto::INT;
  if (attribute.has_s()) return AttributeProto::STRING;
  if (attribute.has_t()) return AttributeProto::TENSOR;
  if (attribute.has_g()) return AttributeProto::GRAPH;
  if (!attribute.floats().empty()) return AttributeProto::FLOATS;
  if (!attribute.ints().empty()) return AttributeProto::INTS;
  if (!attribute.strings().empty()) return AttributeProto::STRINGS;
  return AttributeProto::UNDEFINED;
}

bool is_floating(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 || type == ElementType::float16 ||
         type == ElementType::bfloat16;
}

std::string description(const Constant& constant) {
  return fmt::format("tensor {} {}", network::element_type_name(constant.type), shape_text(constant.dimensions));
}

template <typename Number>
AttributeValue one_or_list(const std::vector<Number>& numbers) {
  if (numbers.size() == 1) return numbers.front();
  return numbers;
}

AttributeValue tensor_value(const Constant& constant) {
  if (is_floating(constant.type)) {
    const auto numbers = constant.floats(listed_numbers);
    if (!numbers) return description(constant);
    return one_or_list(std::vector<double>(numbers->begin(), numbers->end()));
  }
  const auto numbers = constant.integers(listed_numbers);
  if (!numbers) return description(constant);
  return one_or_list(*numbers);
}

AttributeValue subgraph_value(const onnx::GraphProto& graph) {
  return fmt::format("graph {}, {} nodes", in_quotes(graph.name()), graph.node_size());
}

std::vector<std::string> clean_strings(const AttributeProto& attribute) {
  std::vector<std::string> result;
  for (const std::string& text : attribute.strings()) result.push_back(clean(text));
  return result;
}

std::optional<AttributeValue> value_of(const AttributeProto& attribute, const ValueSource& source,
                                       const std::string& element, Report& report) {
  switch (type_of(attribute)) {
    case AttributeProto::FLOAT:
      return static_cast<double>(attribute.f());
    case AttributeProto::INT:
      return static_cast<std::int64_t>(attribute.i());
    case AttributeProto::STRING:
      return clean(attribute.s());
    case AttributeProto::FLOATS:
      return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
    case AttributeProto::INTS:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case AttributeProto::STRINGS:
      return clean_strings(attribute);
    case AttributeProto::GRAPH:
      return subgraph_value(attribute.g());
    case AttributeProto::TENSOR: {
      const auto constant = constant_of(attribute.t(), source, element, report);
      return constant ? std::optional(tensor_value(*constant)) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

template <typename Number, typename Values>
Constant numbers(ElementType type, const Values& values, bool scalar) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(values.size()) * sizeof(Number));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::vector<std::int64_t> dimensions;
  if (!scalar) dimensions.push_back(static_cast<std::int64_t>(values.size()));
  return owning_constant(type, std::move(dimensions), std::move(bytes));
}

std::optional<Constant> constant_in(const AttributeProto& attribute, const ValueSource& source,
                                    const std::string& element, Report& report) {
  const std::string& name = attribute.name();
  if (name == "value") return constant_of(attribute.t(), source, element, report);
  if (name == "sparse_value") return constant_of(attribute.sparse_tensor(), element, report);
  if (name == "value_float") return numbers<float>(ElementType::float32, std::vector<float>{attribute.f()}, true);
  if (name == "value_floats") return numbers<float>(ElementType::float32, attribute.floats(), false);
  if (name == "value_int")
    return numbers<std::int64_t>(ElementType::int64, std::vector<std::int64_t>{attribute.i()}, true);
  if (name == "value_ints") return numbers<std::int64_t>(ElementType::int64, attribute.ints(), false);
  Constant text;
  text.type = ElementType::string;
  if (name == "value_strings") text.dimensions.push_back(attribute.strings_size());
  return text;
}

bool holds_a_value(const AttributeProto& attribute) {
  return attribute.name() == "value" || attribute.name() == "sparse_value" ||
         attribute.name().compare(0, 6, "value_") == 0;
}

}  // namespace

network::Attributes attributes_of(const onnx::NodeProto& node, const ValueSource& source, const std::string& element,
                                  Report& report) {
  network::Attributes attributes;
  for (const AttributeProto& attribute : node.attribute()) {
    const std::string name = clean(attribute.name());
    const std::string place = element + ", attribute " + in_quotes(attribute.name());
    if (attributes.has(name)) report.note(0, place, "given twice; the last one counts");
    if (auto value = value_of(attribute, source, place, report)) attributes.set(name, std::move(*value));
  }
  return attributes;
}

std::optional<Constant> constant_of_node(const onnx::NodeProto& node, const ValueSource& source,
                                         const std::string& element, Report& report) {
  for (const AttributeProto& attribute : node.attribute())
    if (holds_a_value(attribute)) return constant_in(attribute, source, element, report);
  report.error(0, element, "a Constant without a value", "an attribute 'value'");
  return std::nullopt;
}

std::optional<Constant> fill_of_node(const onnx::NodeProto& node, const ValueSource& source, const std::string& element,
                                     Report& report) {
  for (const AttributeProto& attribute : node.attribute())
    if (attribute.name() == "value") return constant_of(attribute.t(), source, element, report);
  return numbers<float>(ElementType::float32, std::vector<float>{0.0F}, true);
}

}  // namespace convscope::readers::onnx_format
