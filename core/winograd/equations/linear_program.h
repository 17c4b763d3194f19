#pragma once
// A one-dimensional transform as straight-line code: what generators emit for a vector of channels, once for the
// columns of a tile and once for its rows.

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "core/winograd/matrices/matrix.h"

namespace convscope::winograd {

enum class StepKind {
  add,                ///< x + y
  subtract,           ///< x - y
  scale,              ///< c x
  multiply_add,       ///< c x + y, rounded once
  multiply_subtract,  ///< c x - y, rounded once
};

/// One machine operation. Values are numbered: inputs first, then the result of step i as inputs + i.
struct Step {
  StepKind kind = StepKind::add;
  int x = 0, y = -1;  ///< values; y is -1 for scale
  Rational c = 1;     ///< of scale, multiply_add and multiply_subtract
};

struct LinearProgram {
  int inputs = 0;
  std::vector<Step> steps;
  std::vector<int> outputs;  ///< the value of each output: an input if the output is one; never -1

  /// Every step is one vector instruction where there are fused multiplications.
  int operations() const { return static_cast<int>(steps.size()); }
};

/// matrix x, no row of it zero. Pairs that rows share are computed once, so a symmetric pair of points ±a costs an even
/// part, an odd part and two steps, whatever a is: 12 steps for the inputs of F(4, 3), 12 for its outputs (10 if ±1 is
/// a pair). Not proven least.
LinearProgram linear_program(const Matrix& matrix);

/// Runs it on floats or doubles; the coefficients are rounded to that type first, products as the kind says. `values`
/// is overwritten: inputs first, room for all values.
template <typename Real>
void run(const LinearProgram& program, std::span<const Real> coefficients, std::span<Real> values);

/// The coefficients of all steps, rounded.
template <typename Real>
std::vector<Real> rounded_coefficients(const LinearProgram& program);

}  // namespace convscope::winograd
