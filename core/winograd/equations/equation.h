#pragma once
// Equations as the thesis writes them, section 6.9.1: sets of terms, each a coefficient and a set of signed variables.

#include <functional>
#include <string>
#include <vector>

#include "core/winograd/equations/linear_form.h"

namespace convscope::winograd {

/// Brackets, as they come from multiplying matrices out: coefficient times a variable, or times a sum.
struct Expression {
  Rational coefficient = 1;
  int variable = -1;  ///< -1: the sum of `terms`
  std::vector<Expression> terms;
};

/// matrix X matrix^T by the rows, nothing simplified (Fig. 6-22): output (i, k) at i * rows + k.
std::vector<Expression> product_expressions(const Matrix& matrix);

/// Rules 1 to 3 of Fig. 6-23: what is multiplied by 0 goes, brackets are expanded, equal variables summed.
LinearForm simplified(const Expression& expression);

struct SignedVariable {
  int variable = 0;
  bool negative = false;
  bool operator==(const SignedVariable&) const = default;
};

/// coefficient (± x ± y …): the thesis's tuple of a coefficient and a var-set.
struct Term {
  Rational coefficient;  ///< above 0
  std::vector<SignedVariable> variables;
  bool operator==(const Term&) const = default;
};

using Equation = std::vector<Term>;  ///< the thesis's equ-set, by coefficient, the least first

/// Rule 4: variables whose coefficients are equal but for their sign stand in one term.
Equation grouped(const LinearForm& form);

/// Multiplications by ±1 are none.
struct Operations {
  int additions = 0;        ///< and subtractions
  int multiplications = 0;  ///< one for each term whose coefficient isn't 1
  bool operator==(const Operations&) const = default;
};

/// Of definitions and outputs, each grouped.
Operations count_operations(const SharedForms& forms);

using VariableNames = std::function<std::string(int)>;

/// "1/4 (t3 - g11) + g02"; "0" of an empty one.
std::string text(const Equation& equation, const VariableNames& name);
/// "1/2 (1 g00 + 0 g10)": with every bracket.
std::string text(const Expression& expression, const VariableNames& name);

}  // namespace convscope::winograd
