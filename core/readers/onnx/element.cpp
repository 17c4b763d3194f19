#include "core/readers/onnx/element.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/network/graph.h"

namespace convscope::readers::onnx_format {

using network::ElementType;

DataType data_type(int number) {
  // In the order of onnx.proto: 14 and 15 are complex, 17 to 20 and 24 are float8, 23 is float4, 25 and 26 are int2.
  static constexpr std::array<DataType, 27> types = {{
      {ElementType::unknown, 0},   {ElementType::float32, 32}, {ElementType::uint8, 8},    {ElementType::int8, 8},
      {ElementType::uint16, 16},   {ElementType::int16, 16},   {ElementType::int32, 32},   {ElementType::int64, 64},
      {ElementType::string, 0},    {ElementType::boolean, 8},  {ElementType::float16, 16}, {ElementType::float64, 64},
      {ElementType::uint32, 32},   {ElementType::uint64, 64},  {ElementType::other, 64},   {ElementType::other, 128},
      {ElementType::bfloat16, 16}, {ElementType::other, 8},    {ElementType::other, 8},    {ElementType::other, 8},
      {ElementType::other, 8},     {ElementType::uint4, 4},    {ElementType::int4, 4},     {ElementType::other, 4},
      {ElementType::other, 8},     {ElementType::other, 2},    {ElementType::other, 2},
  }};
  if (number < 0 || static_cast<std::size_t>(number) >= types.size()) return {ElementType::other, 0};
  return types[static_cast<std::size_t>(number)];
}

std::string shape_text(std::span<const std::int64_t> dimensions) {
  constexpr std::size_t shown = 8;
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(shown, dimensions.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : " x ", dimensions[i]);
  return text + (dimensions.size() > shown ? " x …]" : "]");
}

std::optional<std::int64_t> checked_elements(std::span<const std::int64_t> dimensions, const std::string& element,
                                             Report& report) {
  if (dimensions.size() > 64) {
    report.error(0, element, fmt::format("{} dimensions", dimensions.size()), "at most 64");
    return std::nullopt;
  }
  std::int64_t bounded = 1;
  bool zero = false;
  for (const std::int64_t dimension : dimensions) {
    if (dimension < 0) {
      report.error(0, element, "a negative dimension: " + shape_text(dimensions), "dimensions of at least 0");
      return std::nullopt;
    }
    zero |= dimension == 0;
    if (dimension > network::element_cap / bounded) {
      report.error(0, element, "too many elements: " + shape_text(dimensions),
                   fmt::format("at most {} elements", network::element_cap));
      return std::nullopt;
    }
    bounded *= std::max<std::int64_t>(dimension, 1);
  }
  return zero ? 0 : bounded;
}

}  // namespace convscope::readers::onnx_format
