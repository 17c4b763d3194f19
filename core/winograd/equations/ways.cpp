#include "core/winograd/equations/ways.h"

#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/winograd/equations/pairs.h"
#include "core/winograd/equations/variable_sets.h"

namespace convscope::winograd {
namespace {

/// Appends the one-dimensional forms applied to some variables, and tells which variables the results are: those that
/// are no plain variable become definitions.
class Nesting {
 public:
  explicit Nesting(int inputs) { result_.inputs = inputs; }

  std::vector<int> apply(const SharedForms& line, std::vector<int> variables) {
    for (const LinearForm& definition : line.definitions) variables.push_back(defined(renamed(definition, variables)));
    std::vector<int> results;
    for (const LinearForm& output : line.outputs) results.push_back(defined(renamed(output, variables)));
    return results;
  }

  void apply_last(const SharedForms& line, std::vector<int> variables) {
    for (const LinearForm& definition : line.definitions) variables.push_back(defined(renamed(definition, variables)));
    for (const LinearForm& output : line.outputs) result_.outputs.push_back(renamed(output, variables));
  }

  SharedForms take() { return std::move(result_); }

 private:
  static LinearForm renamed(const LinearForm& form, const std::vector<int>& variables) {
    LinearForm result;
    for (const auto& [variable, coefficient] : form)
      result.emplace(variables[static_cast<std::size_t>(variable)], coefficient);
    return result;
  }

  int defined(LinearForm form) {
    if (form.size() == 1 && form.begin()->second == 1) return form.begin()->first;
    result_.definitions.push_back(std::move(form));
    return result_.variable_count() - 1;
  }

  SharedForms result_;
};

SharedForms nest(const Matrix& matrix, const std::stop_token& stop) {
  const SharedForms line = share_pairs(forms_of(matrix), matrix.columns(), stop);
  Nesting nesting(matrix.columns() * matrix.columns());
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(matrix.rows()));
  for (int column = 0; column < matrix.columns(); ++column) {
    std::vector<int> variables;
    variables.reserve(static_cast<std::size_t>(matrix.columns()));
    for (int row = 0; row < matrix.columns(); ++row) variables.push_back(row * matrix.columns() + column);
    const std::vector<int> results = nesting.apply(line, std::move(variables));
    for (std::size_t row = 0; row < results.size(); ++row) rows[row].push_back(results[row]);
  }
  for (const std::vector<int>& row : rows) nesting.apply_last(line, row);
  return nesting.take();
}

constexpr std::array<std::string_view, 4> way_names = {"plain", "thesis", "pairs", "nested"};

std::string element(char letter, int index, int columns) {
  const int row = index / columns, column = index % columns;
  const char* between = columns > 10 || row >= 10 ? "_" : "";
  return fmt::format("{}{}{}{}", letter, row, between, column);
}

char of(Operand operand, const char* letters) {
  return letters[static_cast<std::size_t>(operand)];
}

}  // namespace

std::string_view operand_name(Operand operand) {
  constexpr std::array<std::string_view, 3> names = {"kernel", "input", "output"};
  return names[static_cast<std::size_t>(operand)];
}

const Matrix& matrix_of(const Transform& transform, Operand operand) {
  if (operand == Operand::kernel) return transform.g;
  return operand == Operand::input ? transform.bt : transform.at;
}

std::string_view way_name(Way way) {
  return way_names[static_cast<std::size_t>(way)];
}

std::optional<Way> find_way(std::string_view name) {
  for (const Way way : ways)
    if (way_name(way) == name) return way;
  return std::nullopt;
}

std::optional<SharedForms> share(const Matrix& matrix, Way way, const std::stop_token& stop, Diagnostics& diagnostics) {
  if (way == Way::nested) return nest(matrix, stop);
  const int inputs = matrix.columns() * matrix.columns();
  if (way == Way::plain) return SharedForms{inputs, {}, squared_forms_of(matrix)};
  if (inputs > most_variables) {
    diagnostics.error({}, fmt::format("{} variables are too many to look for what equations share", inputs),
                      fmt::format("at most {}", most_variables), "the nested way has no such bound");
    return std::nullopt;
  }
  if (way == Way::pairs) return share_pairs(squared_forms_of(matrix), inputs, stop);
  return share_variable_sets(squared_forms_of(matrix), inputs, stop);
}

VariableNames names_of(Operand operand, const Matrix& matrix, int dimensions) {
  const int columns = matrix.columns(), inputs = dimensions == 1 ? columns : columns * columns;
  return [=](int variable) {
    if (variable >= inputs) return fmt::format("t{}", variable - inputs);
    const auto letter = of(operand, "gdp");
    return dimensions == 1 ? fmt::format("{}{}", letter, variable) : element(letter, variable, columns);
  };
}

std::string output_name(Operand operand, const Matrix& matrix, int output, int dimensions) {
  const auto letter = of(operand, "uvy");
  return dimensions == 1 ? fmt::format("{}{}", letter, output) : element(letter, output, matrix.rows());
}

std::string text(const SharedForms& forms, Operand operand, const Matrix& matrix) {
  const VariableNames names = names_of(operand, matrix);
  std::string result;
  for (std::size_t i = 0; i < forms.definitions.size(); ++i)
    result += fmt::format("t{} = {}\n", i, text(grouped(forms.definitions[i]), names));
  for (std::size_t i = 0; i < forms.outputs.size(); ++i)
    result += fmt::format("{} = {}\n", output_name(operand, matrix, static_cast<int>(i)),
                          text(grouped(forms.outputs[i]), names));
  return result;
}

}  // namespace convscope::winograd
