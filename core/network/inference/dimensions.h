#pragma once
// Arithmetic with dimensions: unknown stays unknown, and nothing overflows, whatever a file claims.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/network/graph.h"

namespace convscope::network {

using Dimensions = std::vector<std::int64_t>;

/// Sum and product that stay at the ends of the range instead of overflowing.
std::int64_t saturating_add(std::int64_t a, std::int64_t b);
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);
/// Nearest integer towards zero, at the ends of the range if beyond; 0 for NaN.
std::int64_t saturating_integer(double value);

/// Products of known dimensions; unknown if one is.
std::int64_t product(const Dimensions& dimensions);
std::int64_t product(const Dimensions& dimensions, std::size_t first, std::size_t end);

/// Axis counted from the end if negative; nothing if beyond the rank.
std::optional<std::size_t> normal_axis(std::int64_t axis, std::size_t rank);

TensorShape shape_of(Dimensions dimensions);
TensorShape shape_of_rank(std::size_t rank);

/// "[1, 3, ?, ?]", or "?" if not even the rank is known.
std::string shape_text(const TensorShape& shape);

}  // namespace convscope::network
