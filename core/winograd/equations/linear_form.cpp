#include "core/winograd/equations/linear_form.h"

namespace convscope::winograd {
namespace {

void add(LinearForm& sum, const LinearForm& form, const Rational& factor) {
  for (const auto& [variable, coefficient] : form) {
    Rational& value = sum[variable];
    value += coefficient * factor;
    if (value == 0) sum.erase(variable);
  }
}

}  // namespace

std::vector<LinearForm> forms_of(const Matrix& matrix) {
  std::vector<LinearForm> forms(static_cast<std::size_t>(matrix.rows()));
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.columns(); ++j)
      if (matrix.at(i, j) != 0) forms[static_cast<std::size_t>(i)].emplace(j, matrix.at(i, j));
  return forms;
}

std::vector<LinearForm> squared_forms_of(const Matrix& matrix) {
  const std::vector<LinearForm> rows = forms_of(matrix);
  std::vector<LinearForm> forms;
  for (const LinearForm& row : rows)
    for (const LinearForm& other : rows) {
      LinearForm form;
      for (const auto& [a, left] : row)
        for (const auto& [b, right] : other) form.emplace(a * matrix.columns() + b, left * right);
      forms.push_back(std::move(form));
    }
  return forms;
}

LinearForm expanded(const SharedForms& forms, std::size_t output) {
  LinearForm form = forms.outputs[output];
  while (!form.empty() && form.rbegin()->first >= forms.inputs) {
    const auto [variable, coefficient] = *form.rbegin();
    form.erase(variable);
    add(form, forms.definitions[static_cast<std::size_t>(variable - forms.inputs)], coefficient);
  }
  return form;
}

}  // namespace convscope::winograd
