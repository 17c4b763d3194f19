#pragma once
// Sums of variables with coefficients, and what several of them share.

#include <cstddef>
#include <map>
#include <vector>

#include "core/winograd/matrices/matrix.h"

namespace convscope::winograd {

/// Coefficient of each variable, none of them 0.
using LinearForm = std::map<int, Rational>;

/// Variables below `inputs` are inputs; definition d is variable inputs + d and knows only variables before it.
struct SharedForms {
  int inputs = 0;
  std::vector<LinearForm> definitions;
  std::vector<LinearForm> outputs;

  int variable_count() const { return inputs + static_cast<int>(definitions.size()); }
};

/// matrix x: a form for each row, variable j is x_j.
std::vector<LinearForm> forms_of(const Matrix& matrix);

/// matrix X matrix^T multiplied out, X square: the form of output (i, k) at i * rows + k, variable a * columns + b is
/// X_ab.
std::vector<LinearForm> squared_forms_of(const Matrix& matrix);

/// What an output is as a form of inputs alone.
LinearForm expanded(const SharedForms& forms, std::size_t output);

}  // namespace convscope::winograd
