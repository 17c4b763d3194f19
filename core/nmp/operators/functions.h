#pragma once
// Activations as the machine computes them: by a factor and a constant, by a gate, or between the numbers of a table
// (docs/nmp-program.md, "Functions").

#include <functional>
#include <optional>
#include <string_view>

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

/// Where the points of a function's inputs and results stand.
struct FunctionFormat {
  int bits = 16;  ///< of an element
  int fraction_in = 0, fraction_out = 0;
};

/// The function at 129 places, equally far apart over all inputs that there are; what is no number is 0, others
/// saturate. Nearest words, ties upwards.
Computing tabulated(const std::function<double(double)>& function, const FunctionFormat& format);

/// factor * x + constant.
struct LinearFunction {
  double factor = 1, constant = 0;
};

/// What `affine` computes of Neg and HardSigmoid, and of HardSwish the gate; nothing of other operators.
std::optional<LinearFunction> linear_function(const network::Node& node);

/// What Add, Sum, Sub, Mul or Div makes of one operand where the other is this number; nothing of other operators, of
/// divisions by 0 and of what is divided by the operand.
std::optional<LinearFunction> linear_function(std::string_view name, double number, bool number_is_second);

/// Of an operator with one operand that is computed, by ONNX's name and attributes; nothing if it is no such operator.
/// With the points that maps have where nobody knows their values.
std::optional<Computing> computing_of_function(const network::Node& node, int element_bytes);
/// Likewise, with points of its own; HardSwish has one for both.
std::optional<Computing> computing_of_function(const network::Node& node, const FunctionFormat& format);

/// The function itself in real numbers, if `computing_of_function` knows the operator, and how many fraction bits its
/// results have.
struct RealFunction {
  std::function<double(double)> value;
  int fraction_out = 0;
};
std::optional<RealFunction> real_function(const network::Node& node, int element_bytes);

}  // namespace convscope::nmp
