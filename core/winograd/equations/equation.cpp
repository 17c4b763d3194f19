#include "core/winograd/equations/equation.h"

#include <cstddef>

namespace convscope::winograd {
namespace {

/// A row of the matrix times column `column` of X, which has as many columns as the matrix.
Expression row_times_column(const Matrix& matrix, int row, int column, const Rational& factor) {
  Expression sum{factor, -1, {}};
  for (int a = 0; a < matrix.columns(); ++a)
    sum.terms.push_back({matrix.at(row, a), a * matrix.columns() + column, {}});
  return sum;
}

void expand(const Expression& expression, const Rational& factor, LinearForm& sum) {
  const Rational coefficient = expression.coefficient * factor;
  if (coefficient == 0) return;
  if (expression.variable < 0) {
    for (const Expression& term : expression.terms) expand(term, coefficient, sum);
    return;
  }
  Rational& value = sum[expression.variable];
  value += coefficient;
  if (value == 0) sum.erase(expression.variable);
}

void count(const LinearForm& form, Operations& operations) {
  if (form.empty()) return;
  operations.additions += static_cast<int>(form.size()) - 1;
  for (const Term& term : grouped(form))
    if (term.coefficient != 1) ++operations.multiplications;
}

/// " + x", " - x"; at the start of a sum "x", "-x".
std::string signed_text(bool negative, const std::string& what, bool first) {
  if (first) return (negative ? "-" : "") + what;
  return (negative ? " - " : " + ") + what;
}

std::string sum_text(const std::vector<SignedVariable>& variables, bool negate, const VariableNames& name) {
  std::string result;
  for (const SignedVariable& variable : variables)
    result += signed_text(variable.negative != negate, name(variable.variable), result.empty());
  return result;
}

}  // namespace

std::vector<Expression> product_expressions(const Matrix& matrix) {
  std::vector<Expression> expressions;
  for (int i = 0; i < matrix.rows(); ++i)
    for (int k = 0; k < matrix.rows(); ++k) {
      Expression sum;
      for (int b = 0; b < matrix.columns(); ++b) sum.terms.push_back(row_times_column(matrix, i, b, matrix.at(k, b)));
      expressions.push_back(std::move(sum));
    }
  return expressions;
}

LinearForm simplified(const Expression& expression) {
  LinearForm form;
  expand(expression, 1, form);
  return form;
}

Equation grouped(const LinearForm& form) {
  std::map<Rational, std::vector<SignedVariable>> terms;
  for (const auto& [variable, coefficient] : form) terms[abs(coefficient)].push_back({variable, coefficient < 0});
  Equation equation;
  for (auto& [coefficient, variables] : terms) equation.push_back({coefficient, std::move(variables)});
  return equation;
}

Operations count_operations(const SharedForms& forms) {
  Operations operations;
  for (const LinearForm& form : forms.definitions) count(form, operations);
  for (const LinearForm& form : forms.outputs) count(form, operations);
  return operations;
}

std::string text(const Equation& equation, const VariableNames& name) {
  if (equation.empty()) return "0";
  std::string result;
  for (const Term& term : equation) {
    if (term.coefficient == 1) {
      for (const SignedVariable& variable : term.variables)
        result += signed_text(variable.negative, name(variable.variable), result.empty());
      continue;
    }
    const bool negative = term.variables.front().negative;
    std::string sum = sum_text(term.variables, negative, name);
    if (term.variables.size() > 1) sum = '(' + sum + ')';
    result += signed_text(negative, text(term.coefficient) + ' ' + sum, result.empty());
  }
  return result;
}

std::string text(const Expression& expression, const VariableNames& name) {
  if (expression.variable >= 0) return text(expression.coefficient) + ' ' + name(expression.variable);
  std::string sum;
  for (const Expression& term : expression.terms) sum += (sum.empty() ? "" : " + ") + text(term, name);
  return expression.coefficient == 1 ? sum : text(expression.coefficient) + " (" + sum + ')';
}

}  // namespace convscope::winograd
