#pragma once
// Interpolation points of F(m, r): m + r - 2 finite ones, and infinity, which always is the last.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/winograd/matrices/rational.h"

namespace convscope::winograd {

using Points = std::vector<Rational>;  ///< the finite ones

/// Largest outputs and kernels of a one-dimensional transform that are made: enough for every kernel up to 7 x 7.
inline constexpr int most_outputs = 8, most_kernel = 7;

constexpr int input_length(int m, int r) {
  return m + r - 1;
}
constexpr int finite_points(int m, int r) {
  return m + r - 2;
}

/// 0, 1, -1, 2, -2, 1/2, -1/2, 3, -3, …: what the field uses, transforms with few multiplications. As many as F(m, r)
/// needs.
Points usual_points(int m, int r);

/// Those with the least measured error that are known: 0, ±5/7, ±7/5 where F(m, r) needs five, 0, ±1/2, ±1, ±2 where it
/// needs seven; elsewhere the usual ones. Found by search, not proven best.
Points accurate_points(int m, int r);

/// 0, ±a, ±b, …: the points of F(m, r) with these positive ones; an even count has no 0. Nothing if they don't suffice.
std::optional<Points> symmetric_points(int m, int r, const std::vector<Rational>& positive);

/// "0,1,-1,1/2,-2", or one of the names "usual" and "accurate". Nothing, with diagnostics, if a point is no number or
/// equals another, or if they are not as many as F(m, r) needs.
std::optional<Points> parse_points(std::string_view text, int m, int r, Diagnostics& diagnostics);

/// Whether F(m, r) is in range and these are points of it; if not, says why.
bool check_points(const Points& points, int m, int r, Diagnostics& diagnostics);

/// "0, 1, -1, infinity".
std::string text(const Points& points);

}  // namespace convscope::winograd
