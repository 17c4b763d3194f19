#include "core/winograd/equations/linear_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/winograd/equations/pairs.h"

namespace convscope::winograd {
namespace {

struct CodeTerm {
  Rational coefficient;
  int value = 0;
};

class Code {
 public:
  explicit Code(int inputs) { program_.inputs = inputs; }

  /// The value of a sum of values: one step a term, one less where a coefficient is 1.
  int sum(std::vector<CodeTerm> terms) {
    const auto unit = std::find_if(terms.begin(), terms.end(), [](const CodeTerm& t) { return t.coefficient == 1; });
    if (unit == terms.end()) return sum_without_one(std::move(terms));
    const int start = unit->value;
    terms.erase(unit);
    return add_to(start, terms);
  }

  void output(int value) { program_.outputs.push_back(value); }
  LinearProgram take() { return std::move(program_); }

 private:
  int emit(StepKind kind, int x, int y, const Rational& c) {
    program_.steps.push_back({kind, x, y, c});
    return program_.inputs + program_.operations() - 1;
  }

  /// -x + c y is the fused c y - x; otherwise the first term is multiplied alone.
  int sum_without_one(std::vector<CodeTerm> terms) {
    const auto minus = std::find_if(terms.begin(), terms.end(), [](const CodeTerm& t) { return t.coefficient == -1; });
    const auto other = std::find_if(terms.begin(), terms.end(), [](const CodeTerm& t) { return t.coefficient != -1; });
    if (minus == terms.end() || other == terms.end()) {
      const int start = emit(StepKind::scale, terms.front().value, -1, terms.front().coefficient);
      terms.erase(terms.begin());
      return add_to(start, terms);
    }
    const int start = emit(StepKind::multiply_subtract, other->value, minus->value, other->coefficient);
    terms.erase(std::max(minus, other));
    terms.erase(std::min(minus, other));
    return add_to(start, terms);
  }

  int add_to(int sum, const std::vector<CodeTerm>& terms) {
    for (const auto& [coefficient, value] : terms) {
      if (coefficient == 1)
        sum = emit(StepKind::add, sum, value, 1);
      else if (coefficient == -1)
        sum = emit(StepKind::subtract, sum, value, 1);
      else
        sum = emit(StepKind::multiply_add, value, sum, coefficient);
    }
    return sum;
  }

  LinearProgram program_;
};

std::vector<CodeTerm> terms_of(const LinearForm& form, const std::vector<int>& values) {
  std::vector<CodeTerm> terms;
  for (const auto& [variable, coefficient] : form)
    terms.push_back({coefficient, values[static_cast<std::size_t>(variable)]});
  return terms;
}

}  // namespace

LinearProgram linear_program(const Matrix& matrix) {
  const SharedForms shared = share_pairs(forms_of(matrix), matrix.columns());
  Code code(shared.inputs);
  std::vector<int> values;  // of variables
  for (int input = 0; input < shared.inputs; ++input) values.push_back(input);
  for (const LinearForm& definition : shared.definitions) values.push_back(code.sum(terms_of(definition, values)));
  for (const LinearForm& output : shared.outputs) {
    assert(!output.empty());
    code.output(code.sum(terms_of(output, values)));
  }
  return code.take();
}

template <typename Real>
std::vector<Real> rounded_coefficients(const LinearProgram& program) {
  std::vector<Real> coefficients;
  for (const Step& step : program.steps) coefficients.push_back(step.c.convert_to<Real>());
  return coefficients;
}

template <typename Real>
void run(const LinearProgram& program, std::span<const Real> coefficients, std::span<Real> values) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    const Real x = values[static_cast<std::size_t>(step.x)];
    const Real y = step.y < 0 ? Real(0) : values[static_cast<std::size_t>(step.y)];
    Real& result = values[static_cast<std::size_t>(program.inputs) + i];
    switch (step.kind) {
      case StepKind::add:
        result = x + y;
        break;
      case StepKind::subtract:
        result = x - y;
        break;
      case StepKind::scale:
        result = coefficients[i] * x;
        break;
      case StepKind::multiply_add:
        result = std::fma(coefficients[i], x, y);
        break;
      case StepKind::multiply_subtract:
        result = std::fma(coefficients[i], x, -y);
        break;
    }
  }
}

template std::vector<float> rounded_coefficients<float>(const LinearProgram&);
template std::vector<double> rounded_coefficients<double>(const LinearProgram&);
template void run<float>(const LinearProgram&, std::span<const float>, std::span<float>);
template void run<double>(const LinearProgram&, std::span<const double>, std::span<double>);

}  // namespace convscope::winograd
