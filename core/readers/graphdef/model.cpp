#include "core/readers/graphdef/model.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/readers/common/maps.h"

namespace convscope::readers::graphdef {
namespace {

using network::ElementType;
using Kind = Attribute::Kind;

constexpr int references = 100;  ///< DT_FLOAT_REF is 101

struct DataType {
  std::string_view name;
  ElementType type;
};

/// By number.
constexpr std::array data_types{
    DataType{"DT_INVALID", ElementType::unknown},   DataType{"DT_FLOAT", ElementType::float32},
    DataType{"DT_DOUBLE", ElementType::float64},    DataType{"DT_INT32", ElementType::int32},
    DataType{"DT_UINT8", ElementType::uint8},       DataType{"DT_INT16", ElementType::int16},
    DataType{"DT_INT8", ElementType::int8},         DataType{"DT_STRING", ElementType::string},
    DataType{"DT_COMPLEX64", ElementType::other},   DataType{"DT_INT64", ElementType::int64},
    DataType{"DT_BOOL", ElementType::boolean},      DataType{"DT_QINT8", ElementType::int8},
    DataType{"DT_QUINT8", ElementType::uint8},      DataType{"DT_QINT32", ElementType::int32},
    DataType{"DT_BFLOAT16", ElementType::bfloat16}, DataType{"DT_QINT16", ElementType::int16},
    DataType{"DT_QUINT16", ElementType::uint16},    DataType{"DT_UINT16", ElementType::uint16},
    DataType{"DT_COMPLEX128", ElementType::other},  DataType{"DT_HALF", ElementType::float16},
    DataType{"DT_RESOURCE", ElementType::other},    DataType{"DT_VARIANT", ElementType::other},
    DataType{"DT_UINT32", ElementType::uint32},     DataType{"DT_UINT64", ElementType::uint64}};

}  // namespace

const Attribute* NodeDef::find(std::string_view attribute, Kind kind) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() || found->second.kind != kind ? nullptr : &found->second;
}

std::int64_t NodeDef::integer(std::string_view attribute, std::int64_t fallback) const {
  const Attribute* found = find(attribute, Kind::integer);
  return found == nullptr ? fallback : found->integer;
}

double NodeDef::real(std::string_view attribute, double fallback) const {
  const Attribute* found = find(attribute, Kind::real);
  return found == nullptr ? fallback : found->real;
}

bool NodeDef::boolean(std::string_view attribute, bool fallback) const {
  const Attribute* found = find(attribute, Kind::boolean);
  return found == nullptr ? fallback : found->integer != 0;
}

std::string NodeDef::text(std::string_view attribute, const std::string& fallback) const {
  const Attribute* found = find(attribute, Kind::text);
  return found == nullptr ? fallback : found->text;
}

std::vector<std::int64_t> NodeDef::integers(std::string_view attribute) const {
  const Attribute* found = find(attribute, Kind::list);
  return found == nullptr ? std::vector<std::int64_t>{} : found->integers;
}

int NodeDef::type(std::string_view attribute) const {
  const Attribute* found = find(attribute, Kind::type);
  return found == nullptr ? 0 : static_cast<int>(found->integer);
}

ElementType element_type(int data_type) {
  if (data_type > references) data_type -= references;
  if (data_type < 0 || static_cast<std::size_t>(data_type) >= data_types.size()) return ElementType::other;
  return data_types[static_cast<std::size_t>(data_type)].type;
}

int data_type_of(std::string_view name) {
  const bool reference = name.ends_with("_REF");
  const std::string_view plain = reference ? name.substr(0, name.size() - 4) : name;
  for (std::size_t i = 0; i < data_types.size(); ++i)
    if (data_types[i].name == plain) return static_cast<int>(i) + (reference ? references : 0);
  const auto number = parse_integer<int>(name);
  return number && *number >= 0 ? *number : 0;
}

void check_shape(const network::TensorShape& shape, int line, const std::string& element, Report& report) {
  const auto size = [&] { return fmt::format("its size is {}", fmt::join(shape.dimensions, " x ")); };
  if (shape.dimensions.size() > largest_rank) {
    report.error(line, element, fmt::format("it has {} dimensions", shape.dimensions.size()),
                 fmt::format("at most {}", largest_rank));
    return;
  }
  for (const std::int64_t dimension : shape.dimensions) {
    if (dimension >= network::unknown_dimension) continue;
    report.error(line, element, size(), "-1, which is unknown, or more");
    return;
  }
  if (!is_bounded(shape.dimensions))
    report.error(line, element, size(), fmt::format("at most {} elements", network::element_cap));
}

}  // namespace convscope::readers::graphdef
