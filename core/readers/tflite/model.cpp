#include "core/readers/tflite/model.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/common/maps.h"
#include "core/readers/tflite/builtin_operators.h"

namespace convscope::readers::tflite {
namespace {

using network::ElementType;

constexpr std::size_t largest_rank = 8;

template <typename Element>
using Elements = flatbuffers::Vector<Element>;

template <typename Table>
using Tables = Elements<flatbuffers::Offset<Table>>;

ElementType element_type(int type) {
  static constexpr std::array types{
      ElementType::float32, ElementType::float16, ElementType::int32,  ElementType::uint8,   ElementType::int64,
      ElementType::string,  ElementType::boolean, ElementType::int16,  ElementType::other,   ElementType::int8,
      ElementType::float64, ElementType::other,   ElementType::uint64, ElementType::other,   ElementType::other,
      ElementType::uint32,  ElementType::uint16,  ElementType::int4,   ElementType::bfloat16};
  return type >= 0 && static_cast<std::size_t>(type) < types.size() ? types[static_cast<std::size_t>(type)]
                                                                    : ElementType::other;
}

std::string_view bytes_of(const Elements<std::uint8_t>* vector) {
  return vector == nullptr ? std::string_view()
                           : std::string_view(reinterpret_cast<const char*>(vector->Data()), vector->size());
}

/// Whether all tables and vectors lie in the file. Values behind the tables (version 3c) may reach farther than
/// offsets.
bool is_whole(std::string_view bytes) {
  const std::size_t size = std::min<std::size_t>(bytes.size(), FLATBUFFERS_MAX_BUFFER_SIZE - 1);
  flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), size);
  return schema::VerifyModelBuffer(verifier);
}

/// What may be copied from a file. Tables may share vectors, so a small file can describe an endless one.
class ReadBudget {
 public:
  explicit ReadBudget(std::size_t file_size) : left_(16 * file_size + 4096) {}

  /// False, from then on, when it is used up.
  bool spend(std::size_t size) {
    exhausted_ = exhausted_ || size > left_;
    left_ -= exhausted_ ? left_ : size;
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }

 private:
  std::size_t left_;
  bool exhausted_ = false;
};

struct OperatorCode {
  std::string name;
  bool custom = false;
};

class ModelReader {
 public:
  ModelReader(std::string_view bytes, Report& report) : bytes_(bytes), budget_(bytes.size()), report_(report) {}

  std::optional<Model> read() {
    if (!is_whole(bytes_)) {
      report_.error(0, {}, "the file is damaged or cut short: an offset or a vector leads out of it");
      return std::nullopt;
    }
    const schema::Model& root = *schema::GetModel(bytes_.data());
    const auto subgraphs = tables(root.subgraphs());
    if (subgraphs.empty()) report_.error(0, {}, "the model has no subgraph");
    if (subgraphs.size() > 1)
      report_.note(0, {}, fmt::format("the model has {} subgraphs; the first one is read", subgraphs.size()));
    if (!subgraphs.empty()) read_subgraph(root, *subgraphs.front());
    if (budget_.exhausted()) report_.error(0, {}, "the file is damaged: its tables share more than a model can hold");
    if (report_.any_error()) return std::nullopt;
    return std::move(model_);
  }

 private:
  void read_subgraph(const schema::Model& root, const schema::SubGraph& subgraph) {
    buffers_ = tables(root.buffers());
    for (const schema::OperatorCode* code : tables(root.operator_codes())) codes_.push_back(read_code(*code));
    for (const schema::Tensor* tensor : tables(subgraph.tensors())) read_tensor(*tensor);
    for (const schema::Operator* entry : tables(subgraph.operators())) read_operator(*entry);
    model_.inputs = checked(values(subgraph.inputs()), 0, "the subgraph's inputs");
    model_.outputs = checked(values(subgraph.outputs()), 0, "the subgraph's outputs");
  }

  template <typename Table>
  std::vector<const Table*> tables(const Tables<Table>* vector) {
    std::vector<const Table*> found;
    if (vector != nullptr && budget_.spend(vector->size() * sizeof(std::uint32_t)))
      found.assign(vector->begin(), vector->end());
    return found;
  }

  /// Copied as bytes: elements of 8 bytes may stand anywhere.
  template <typename Result = std::int64_t, typename Element>
  std::vector<Result> values(const Elements<Element>* vector) {
    if (vector == nullptr || vector->size() == 0 || !budget_.spend(vector->size() * sizeof(Element))) return {};
    std::vector<Element> found(vector->size());
    std::memcpy(found.data(), vector->Data(), found.size() * sizeof(Element));
    return {found.begin(), found.end()};
  }

  std::string name(const Elements<std::uint8_t>* vector) {
    const std::string_view text = bytes_of(vector).substr(0, 1000);
    return budget_.spend(text.size()) ? clean_name(text) : std::string();
  }

  /// Old files have the code in a byte, newer ones the larger of both (schema_utils.cc).
  OperatorCode read_code(const schema::OperatorCode& code) {
    const int number = std::max<int>(code.old_builtin(), code.builtin());
    if (number == custom_operator) return {name(code.custom()), true};
    return {builtin_name(number), false};
  }

  void read_tensor(const schema::Tensor& table) {
    ModelTensor tensor;
    tensor.name = name(table.name());
    if (tensor.name.empty()) tensor.name = fmt::format("tensor {}", model_.tensors.size());
    tensor.type = element_type(table.type());
    tensor.shape = values(table.shape());
    const std::vector<std::int64_t> signature = values(table.shape_signature());
    tensor.ranked = !tensor.shape.empty() || table.has_rank();
    for (std::size_t i = 0; i < signature.size() && signature.size() == tensor.shape.size(); ++i)
      if (signature[i] < 0) tensor.shape[i] = network::unknown_dimension;
    if (const schema::Quantization* quantization = table.quantization()) {
      tensor.scale = values<double>(quantization->scale());
      tensor.zero_point = values(quantization->zero_point());
      tensor.quantized_axis = quantization->quantized_dimension();
    }
    tensor.data = data_of(table, tensor);
    check(table, tensor);
    model_.tensors.push_back(std::move(tensor));
  }

  /// Values stand in a buffer, or since version 3c behind the tables.
  std::string_view data_of(const schema::Tensor& table, const ModelTensor& tensor) {
    const std::uint32_t index = table.buffer();
    if (index == 0) return {};
    if (index >= buffers_.size()) {
      error(tensor, fmt::format("its values are in buffer {}", index),
            fmt::format("one of {} buffers", buffers_.size()));
      return {};
    }
    const schema::Buffer& buffer = *buffers_[index];
    if (buffer.offset() <= 1) return bytes_of(buffer.data());
    if (buffer.offset() <= bytes_.size() && buffer.size() <= bytes_.size() - buffer.offset())
      return bytes_.substr(buffer.offset(), buffer.size());
    error(tensor, "the file is damaged or cut short: its values lead out of it");
    return {};
  }

  void check(const schema::Tensor& table, ModelTensor& tensor) {
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
    if (table.sparsity() != nullptr || bits == 0) {
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

  void read_operator(const schema::Operator& entry) {
    const std::uint32_t code = entry.code();
    const std::size_t number = model_.operators.size();
    if (code >= codes_.size()) {
      report_.error(0, fmt::format("operator {}", number), fmt::format("its code is {}", code),
                    fmt::format("one of {} codes", codes_.size()));
      return;
    }
    // Codes are shared, so their names count for each operator.
    if (!budget_.spend(codes_[code].name.size())) return;
    const std::string where = fmt::format("operator {} ({})", number, codes_[code].name);
    model_.operators.push_back({codes_[code].name, codes_[code].custom,
                                checked(values(entry.inputs()), -1, "inputs of " + where),
                                checked(values(entry.outputs()), 0, "outputs of " + where), &entry});
  }

  std::string_view bytes_;
  ReadBudget budget_;
  Report& report_;
  std::vector<const schema::Buffer*> buffers_;
  std::vector<OperatorCode> codes_;
  Model model_;
};

}  // namespace

std::optional<Model> read_model(std::string_view bytes, Report& report) {
  return ModelReader(bytes, report).read();
}

}  // namespace convscope::readers::tflite
