#include "core/network/inference/dimensions.h"

#include <cmath>

namespace convscope::network {

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  return (a < 0) != (b < 0) ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

std::int64_t saturating_integer(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (std::isnan(value)) return 0;
  if (value >= limit) return std::numeric_limits<std::int64_t>::max();
  return value < -limit ? std::numeric_limits<std::int64_t>::min() : static_cast<std::int64_t>(value);
}

std::int64_t product(const Dimensions& dimensions, std::size_t first, std::size_t end) {
  std::int64_t result = 1;
  for (std::size_t i = first; i < end && i < dimensions.size(); ++i) {
    if (dimensions[i] < 0) return unknown_dimension;
    result = saturating_multiply(result, dimensions[i]);
  }
  return result;
}

std::int64_t product(const Dimensions& dimensions) {
  return product(dimensions, 0, dimensions.size());
}

std::optional<std::size_t> normal_axis(std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

TensorShape shape_of(Dimensions dimensions) {
  return {true, std::move(dimensions), {}};
}

TensorShape shape_of_rank(std::size_t rank) {
  return {true, Dimensions(rank, unknown_dimension), {}};
}

std::string shape_text(const TensorShape& shape) {
  if (!shape.known) return "?";
  std::string text = "[";
  for (std::size_t i = 0; i < shape.dimensions.size(); ++i) {
    if (i > 0) text += ", ";
    text += shape.dimensions[i] < 0 ? "?" : std::to_string(shape.dimensions[i]);
  }
  return text + "]";
}

}  // namespace convscope::network
