#include "core/nmp/trained/table_point.h"

#include <algorithm>
#include <cmath>

namespace convscope::nmp {
namespace {

/// How far a table's lines are from the function at worst, among inputs up to `most`.
double table_error(const std::function<double(double)>& function, int bits, int fraction, double most) {
  constexpr int samples = 1 << 12, segments = 128;
  const double end = std::ldexp(1.0, bits - 1 - fraction), length = 2 * end / segments;
  double error = 0;
  for (int i = -samples; i <= samples; ++i) {
    const double x = most * i / samples, at = (std::clamp(x, -end, end) + end) / length;
    const double segment = std::min(std::floor(at), double{segments - 1}), low = segment * length - end;
    const double line = function(low) + (function(low + length) - function(low)) * (at - segment);
    if (std::isfinite(line)) error = std::max(error, std::fabs(line - function(x)));
  }
  return error;
}

}  // namespace

int fraction_for_table(const std::function<double(double)>& function, int bits, int fraction, double most) {
  constexpr int further = 6;
  int best = fraction;
  double least = table_error(function, bits, fraction, most);
  for (int i = 1; i <= further; ++i) {
    const double error = table_error(function, bits, fraction + i, most);
    if (error >= least) continue;
    least = error;
    best = fraction + i;
  }
  return best;
}

}  // namespace convscope::nmp
