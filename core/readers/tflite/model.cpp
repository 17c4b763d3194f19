#include "core/readers/tflite/model.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/common/maps.h"
#include "core/readers/tflite/builtin_operators.h"

namespace convscope::readers::tflite {
namespace {

using network::ElementType;

constexpr std::size_t largest_rank = 8;

// Numbers of fields, in the order of schema.fbs.
namespace model_field {
constexpr int operator_codes = 1, subgraphs = 2, buffers = 4;
}
namespace code_field {
constexpr int old_builtin = 0, custom = 1, builtin = 3;
}
namespace subgraph_field {
constexpr int tensors = 0, inputs = 1, outputs = 2, operators = 3;
}
namespace tensor_field {
constexpr int shape = 0, type = 1, buffer = 2, name = 3, quantization = 4, sparsity = 6, signature = 7, ranked = 8;
}
namespace quantization_field {
constexpr int scale = 2, zero_point = 3;
}
namespace operator_field {
constexpr int code = 0, inputs = 1, outputs = 2, options = 4;
}
namespace buffer_field {
constexpr int data = 0, offset = 1, size = 2;
}

ElementType element_type(int type) {
  static constexpr std::array types{
      ElementType::float32, ElementType::float16, ElementType::int32,  ElementType::uint8,   ElementType::int64,
      ElementType::string,  ElementType::boolean, ElementType::int16,  ElementType::other,   ElementType::int8,
      ElementType::float64, ElementType::other,   ElementType::uint64, ElementType::other,   ElementType::other,
      ElementType::uint32,  ElementType::uint16,  ElementType::int4,   ElementType::bfloat16};
  return type >= 0 && static_cast<std::size_t>(type) < types.size() ? types[static_cast<std::size_t>(type)]
                                                                    : ElementType::other;
}

struct OperatorCode {
  std::string name;
  bool custom = false;
};

class ModelReader {
 public:
  ModelReader(FlatFile& file, Report& report) : file_(file), report_(report), root_(FlatTable::root(file)) {}

  std::optional<Model> read() {
    const std::vector<FlatTable> subgraphs = root_.tables(model_field::subgraphs);
    if (subgraphs.empty()) report_.error(0, {}, "the model has no subgraph");
    if (subgraphs.size() > 1)
      report_.note(0, {}, fmt::format("the model has {} subgraphs; the first one is read", subgraphs.size()));
    if (!subgraphs.empty()) read_subgraph(subgraphs.front());
    if (file_.damaged())
      report_.error(0, {}, "the file is damaged or cut short: an offset or a vector leads out of it");
    if (report_.any_error()) return std::nullopt;
    return std::move(model_);
  }

 private:
  void read_subgraph(const FlatTable& subgraph) {
    buffers_ = root_.tables(model_field::buffers);
    for (const FlatTable& code : root_.tables(model_field::operator_codes)) codes_.push_back(read_code(code));
    for (const FlatTable& tensor : subgraph.tables(subgraph_field::tensors)) read_tensor(tensor);
    for (const FlatTable& entry : subgraph.tables(subgraph_field::operators)) read_operator(entry);
    model_.inputs = checked(subgraph.integers(subgraph_field::inputs), 0, "the subgraph's inputs");
    model_.outputs = checked(subgraph.integers(subgraph_field::outputs), 0, "the subgraph's outputs");
  }

  /// Old files have the code in a byte, newer ones the larger of both (schema_utils.cc).
  static OperatorCode read_code(const FlatTable& code) {
    const int number = std::max<int>(code.scalar<std::int8_t>(code_field::old_builtin, 0),
                                     code.scalar<std::int32_t>(code_field::builtin, 0));
    if (number == custom_operator) return {clean_name(code.text(code_field::custom)), true};
    return {builtin_name(number), false};
  }

  void read_tensor(const FlatTable& table) {
    ModelTensor tensor;
    tensor.name = clean_name(table.text(tensor_field::name));
    if (tensor.name.empty()) tensor.name = fmt::format("tensor {}", model_.tensors.size());
    tensor.type = element_type(table.scalar<std::int8_t>(tensor_field::type, 0));
    tensor.shape = table.integers(tensor_field::shape);
    const std::vector<std::int64_t> signature = table.integers(tensor_field::signature);
    tensor.ranked = !tensor.shape.empty() || table.scalar<std::uint8_t>(tensor_field::ranked, 0) != 0;
    for (std::size_t i = 0; i < signature.size() && signature.size() == tensor.shape.size(); ++i)
      if (signature[i] < 0) tensor.shape[i] = network::unknown_dimension;
    const FlatTable quantization = table.table(tensor_field::quantization);
    tensor.scale = quantization.reals(quantization_field::scale);
    tensor.zero_point = quantization.wide_integers(quantization_field::zero_point);
    tensor.data = data_of(table, tensor);
    check(table, tensor);
    model_.tensors.push_back(std::move(tensor));
  }

  /// Values stand in a buffer, or since version 3c behind the tables.
  std::string_view data_of(const FlatTable& table, const ModelTensor& tensor) {
    const auto index = table.scalar<std::uint32_t>(tensor_field::buffer, 0);
    if (index == 0) return {};
    if (index >= buffers_.size()) {
      error(tensor, fmt::format("its values are in buffer {}", index),
            fmt::format("one of {} buffers", buffers_.size()));
      return {};
    }
    const FlatTable& buffer = buffers_[index];
    const auto offset = buffer.scalar<std::uint64_t>(buffer_field::offset, 0);
    const auto size = buffer.scalar<std::uint64_t>(buffer_field::size, 0);
    if (offset <= 1) return buffer.bytes(buffer_field::data);
    return file_.holds(offset, size) ? file_.bytes().substr(offset, size) : std::string_view();
  }

  void check(const FlatTable& table, ModelTensor& tensor) {
    const std::string size = fmt::format("{}", fmt::join(tensor.shape, " x "));
    if (tensor.shape.size() > largest_rank)
      return error(tensor, fmt::format("it has {} dimensions", tensor.shape.size()),
                   fmt::format("at most {}", largest_rank));
    for (std::int64_t& dimension : tensor.shape)
      if (dimension < -1) return error(tensor, "its size is " + size, "no negative dimensions");
    if (!is_bounded(tensor.shape))
      return error(tensor, "its size is " + size, fmt::format("at most {} elements", network::element_cap));
    if (tensor.data.empty()) return;
    const auto count = element_count(tensor.shape);
    const auto bits = static_cast<std::uint64_t>(network::element_bits(tensor.type));
    if (table.has(tensor_field::sparsity) || bits == 0) {
      report_.note(0, element(tensor), "its values are sparse or no numbers: they are left out");
      tensor.data = {};
    } else if (!count || (static_cast<std::uint64_t>(*count) * bits + 7) / 8 != tensor.data.size()) {
      error(tensor,
            fmt::format("its size is {} elements of {}, but it has {} bytes of values", size.empty() ? "1" : size,
                        network::element_type_name(tensor.type), tensor.data.size()));
    }
  }

  static std::string element(const ModelTensor& tensor) { return fmt::format("tensor '{}'", tensor.name); }

  void error(const ModelTensor& tensor, std::string what, std::string expected = {}) {
    report_.error(0, element(tensor), std::move(what), std::move(expected));
  }

  std::vector<std::int64_t> checked(std::vector<std::int64_t> indices, std::int64_t smallest,
                                    const std::string& where) {
    for (std::int64_t& index : indices) {
      if (index >= smallest && index < static_cast<std::int64_t>(model_.tensors.size())) continue;
      report_.error(0, {}, fmt::format("{} name tensor {}", where, index),
                    fmt::format("one of {} tensors", model_.tensors.size()));
      index = -1;
    }
    return indices;
  }

  void read_operator(const FlatTable& table) {
    const auto code = table.scalar<std::uint32_t>(operator_field::code, 0);
    const std::size_t number = model_.operators.size();
    if (code >= codes_.size()) {
      report_.error(0, fmt::format("operator {}", number), fmt::format("its code is {}", code),
                    fmt::format("one of {} codes", codes_.size()));
      return;
    }
    // Codes are shared, so their names count for each operator.
    if (!file_.spend(codes_[code].name.size())) return;
    const std::string where = fmt::format("operator {} ({})", number, codes_[code].name);
    model_.operators.push_back({codes_[code].name, codes_[code].custom,
                                checked(table.integers(operator_field::inputs), -1, "inputs of " + where),
                                checked(table.integers(operator_field::outputs), 0, "outputs of " + where),
                                table.table(operator_field::options)});
  }

  FlatFile& file_;
  Report& report_;
  FlatTable root_;
  std::vector<FlatTable> buffers_;
  std::vector<OperatorCode> codes_;
  Model model_;
};

}  // namespace

std::optional<Model> read_model(FlatFile& file, Report& report) {
  return ModelReader(file, report).read();
}

}  // namespace convscope::readers::tflite
