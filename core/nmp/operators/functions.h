#pragma once
// Activations as the machine computes them: by a factor and a constant, by a gate, or between the numbers of a table
// (docs/nmp-program.md, "Functions").

#include <functional>
#include <optional>

#include "core/network/graph.h"
#include "core/nmp/generate/computing.h"

namespace convscope::nmp {

/// Fraction bits that functions read and write: values of maps lie between -8 and 8, those of what ends between -1 and
/// 1 (sigmoids) have no bits before the point.
constexpr int map_fraction(int element_bytes) {
  return 8 * element_bytes - 4;
}
constexpr int unit_fraction(int element_bytes) {
  return 8 * element_bytes - 1;
}

/// `factor` times a number with `fraction_in` bits plus `constant`, with `fraction_out` bits: as many bits of the
/// factor as 16 hold. Missing if not even its integer part fits.
Computing affine(double factor, double constant, int fraction_in, int fraction_out);

/// The function at 129 places, equally far apart; numbers that aren't finite are 0, others saturate.
Computing tabulated(const std::function<double(double)>& function, int element_bytes, int fraction_out);

/// Of an operator with one operand that is computed, by ONNX's name and attributes; nothing if it is no such operator.
std::optional<Computing> computing_of_function(const network::Node& node, int element_bytes);

/// The function itself in real numbers, if `computing_of_function` knows the operator, and how many fraction bits its
/// results have.
struct RealFunction {
  std::function<double(double)> value;
  int fraction_out = 0;
};
std::optional<RealFunction> real_function(const network::Node& node, int element_bytes);

}  // namespace convscope::nmp
