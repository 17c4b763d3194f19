#include "core/readers/onnx/values.h"

#include <bit>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include "core/readers/onnx/element.h"
#include "core/readers/onnx/schema.h"

namespace convscope::readers::onnx_format {
namespace {

using network::Constant;
using onnx::TensorProto;

// onnx.proto: raw_data is little-endian, as is protobuf's packed float_data and double_data.
static_assert(std::endian::native == std::endian::little, "values would have to be swapped");

constexpr int float_data = 4, raw_data = 9, double_data = 10;

/// Bytes that stay where they are, or were collected from several places.
struct Found {
  bool any = false;
  std::shared_ptr<const void> owner;
  std::span<const std::byte> bytes;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Found owned(std::vector<std::byte> bytes) {
  const auto shared = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {true, shared, *shared};
}

Found joined(const std::vector<std::string_view>& parts) {
  std::vector<std::byte> bytes;
  for (const std::string_view part : parts) bytes.insert(bytes.end(), bytes_of(part).begin(), bytes_of(part).end());
  return owned(std::move(bytes));
}

// Protobuf lets packed values come in several parts.
Found in_file(const TensorProto& tensor, int field, const ValueSource& source) {
  std::vector<std::string_view> parts;
  const auto& references = tensor.unknown_fields();
  for (int i = 0; i < references.field_count(); ++i) {
    const auto& reference = references.field(i);
    const bool number = reference.type() == google::protobuf::UnknownField::TYPE_VARINT;
    if (number && reference.number() == bulk_reference + field && reference.varint() < source.bulk.size())
      parts.push_back(source.bulk[static_cast<std::size_t>(reference.varint())]);
  }
  if (parts.empty()) return {};
  if (parts.size() > 1) return joined(parts);
  return {true, source.file, bytes_of(parts.front())};
}

template <typename Values>
Found in_message(const Values& values, const ValueSource& source) {
  if (values.empty()) return {};
  return {true, source.message, std::as_bytes(std::span(values.data(), static_cast<std::size_t>(values.size())))};
}

// onnx.proto, int32_data: one entry per element, or per byte of elements of less than a byte.
template <typename Narrow, typename Values>
Found narrowed(const Values& values) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(values.size()) * sizeof(Narrow));
  for (int i = 0; i < values.size(); ++i) {
    const auto value = static_cast<Narrow>(values[i]);
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(Narrow), &value, sizeof(Narrow));
  }
  return owned(std::move(bytes));
}

Found in_integers(const TensorProto& tensor, int bits, const ValueSource& source) {
  if (tensor.int32_data().empty()) return {};
  if (bits == 32) return in_message(tensor.int32_data(), source);
  return bits == 16 ? narrowed<std::uint16_t>(tensor.int32_data()) : narrowed<std::uint8_t>(tensor.int32_data());
}

Found in_either(Found in_file, Found in_message) {
  return in_file.any ? std::move(in_file) : std::move(in_message);
}

// onnx.proto, TensorProto: which field holds the values of which type.
Found typed(const TensorProto& tensor, int bits, const ValueSource& source) {
  switch (tensor.data_type()) {
    case TensorProto::FLOAT:
    case TensorProto::COMPLEX64:
      return in_either(in_file(tensor, float_data, source), in_message(tensor.float_data(), source));
    case TensorProto::DOUBLE:
    case TensorProto::COMPLEX128:
      return in_either(in_file(tensor, double_data, source), in_message(tensor.double_data(), source));
    case TensorProto::INT64:
      return in_message(tensor.int64_data(), source);
    case TensorProto::UINT64:
      return in_message(tensor.uint64_data(), source);
    case TensorProto::UINT32:
      return tensor.uint64_data().empty() ? Found{} : narrowed<std::uint32_t>(tensor.uint64_data());
    default:
      return in_integers(tensor, bits, source);
  }
}

Found raw(const TensorProto& tensor, const ValueSource& source) {
  Found found = in_file(tensor, raw_data, source);
  if (found.any) return found;
  if (!tensor.has_raw_data()) return {};
  return {true, source.message, bytes_of(tensor.raw_data())};
}

Found inside(const TensorProto& tensor, int bits, const ValueSource& source) {
  Found found = raw(tensor, source);
  // Some tools empty raw_data to share a model without its weights.
  return found.any && !found.bytes.empty() ? found : typed(tensor, bits, source);
}

// False if there was an error; absent values are none.
bool fill_values(const TensorProto& tensor, int bits, std::uint64_t size, const ValueSource& source,
                 const std::string& element, Report& report, Constant& constant) {
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    const auto values = source.external.find(tensor, size, element);
    if (!values) return false;
    constant.owner = values->owner;
    constant.bytes = bytes_of(values->bytes);
    return true;
  }
  const Found found = inside(tensor, bits, source);
  if (found.any && found.bytes.size() != size) {
    report.error(0, element, fmt::format("{} bytes of values", found.bytes.size()),
                 fmt::format("{} bytes for its shape {}", size, shape_text(constant.dimensions)));
    return false;
  }
  constant.owner = found.owner;
  constant.bytes = found.bytes;
  return true;
}

template <typename Dimensions>
std::vector<std::int64_t> dimensions_of(const Dimensions& dimensions) {
  return {dimensions.begin(), dimensions.end()};
}

}  // namespace

std::optional<Constant> constant_of(const TensorProto& tensor, const ValueSource& source, const std::string& element,
                                    Report& report) {
  const DataType type = data_type(tensor.data_type());
  Constant constant;
  constant.type = type.type;
  constant.dimensions = dimensions_of(tensor.dims());
  const auto elements = checked_elements(constant.dimensions, element, report);
  if (!elements) return std::nullopt;
  if (constant.type == network::ElementType::unknown) {
    report.error(0, element, "a tensor without an element type");
    return std::nullopt;
  }
  if (type.bits == 0 || *elements == 0) return constant;
  const auto size = (static_cast<std::uint64_t>(*elements) * static_cast<unsigned>(type.bits) + 7) / 8;
  if (!fill_values(tensor, type.bits, size, source, element, report, constant)) return std::nullopt;
  return constant;
}

std::optional<Constant> constant_of(const onnx::SparseTensorProto& tensor, const std::string& element, Report& report) {
  Constant constant;
  constant.type = data_type(tensor.values().data_type()).type;
  constant.dimensions = dimensions_of(tensor.dims());
  if (!checked_elements(constant.dimensions, element, report)) return std::nullopt;
  return constant;
}

Constant owning_constant(network::ElementType type, std::vector<std::int64_t> dimensions,
                         std::vector<std::byte> bytes) {
  const Found found = owned(std::move(bytes));
  Constant constant;
  constant.type = type;
  constant.dimensions = std::move(dimensions);
  constant.owner = found.owner;
  constant.bytes = found.bytes;
  return constant;
}

}  // namespace convscope::readers::onnx_format
