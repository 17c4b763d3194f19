#include "core/winograd/artifacts/transform_artifacts.h"

#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace convscope::winograd {
namespace {

using artifact::Listing;
using artifact::ListingLine;
using artifact::OperationClass;
using artifact::OperationKey;
using artifact::TaskGraph;

enum Column { variables_column, shared_column, outputs_column };

OperationKey key_of(std::size_t index) {
  return static_cast<OperationKey>(index) + 1;
}

/// Keeps an equation's text with its name, and what it depends on.
struct Line {
  std::string text;
  const LinearForm* form = nullptr;  ///< null for an input
  Column column = variables_column;
};

std::string equation_text(const std::string& name, const LinearForm& form, const VariableNames& names) {
  return name + " = " + text(grouped(form), names);
}

std::vector<Line> lines_of(const SharedForms& forms, Operand operand, const Matrix& matrix) {
  const int dimensions = forms.inputs == matrix.columns() ? 1 : 2;
  const VariableNames names = names_of(operand, matrix, dimensions);
  std::vector<Line> lines;
  lines.reserve(static_cast<std::size_t>(forms.inputs) + forms.definitions.size() + forms.outputs.size());
  for (int input = 0; input < forms.inputs; ++input) lines.push_back({names(input), nullptr, variables_column});
  for (const LinearForm& form : forms.definitions) {
    const std::string name = names(static_cast<int>(lines.size()));
    lines.push_back({equation_text(name, form, names), &form, shared_column});
  }
  for (std::size_t i = 0; i < forms.outputs.size(); ++i) {
    const std::string name = output_name(operand, matrix, static_cast<int>(i), dimensions);
    lines.push_back({equation_text(name, forms.outputs[i], names), &forms.outputs[i], outputs_column});
  }
  return lines;
}

OperationClass class_of(Column column) {
  if (column == variables_column) return OperationClass::read;
  return column == shared_column ? OperationClass::multiply_accumulate : OperationClass::write;
}

std::string point_of(const Transform& transform, Operand operand, int row) {
  if (operand == Operand::output) return {};
  if (row + 1 == transform.n()) return "infinity";
  return text(transform.points[static_cast<std::size_t>(row)]);
}

void add_matrix(const Transform& transform, Operand operand, Listing& listing) {
  constexpr const char* names[] = {"G", "BT", "AT"};
  const Matrix& matrix = matrix_of(transform, operand);
  for (int row = 0; row < matrix.rows(); ++row) {
    ListingLine line{row, names[static_cast<std::size_t>(operand)], point_of(transform, operand, row), {}};
    for (int column = 0; column < matrix.columns(); ++column) line.fields.push_back({text(matrix.at(row, column)), 0});
    listing.lines.push_back(std::move(line));
  }
}

}  // namespace

TaskGraph equation_graph(const SharedForms& forms, Operand operand, const Matrix& matrix) {
  TaskGraph graph;
  graph.resources = {"variables", "shared terms", "equations"};
  for (const Line& line : lines_of(forms, operand, matrix)) {
    const std::size_t index = graph.operations.size();
    graph.operations.push_back({key_of(index), line.text, class_of(line.column), line.column, -1});
    if (!line.form) continue;
    for (const auto& [variable, coefficient] : *line.form)
      graph.dependences.push_back({variable, static_cast<int>(index), 1, 0, artifact::DependenceKind::data});
  }
  return graph;
}

Listing equation_listing(const Transform& transform, const SharedForms& forms, Operand operand) {
  const Matrix& matrix = matrix_of(transform, operand);
  Listing listing;
  for (int column = 0; column < matrix.columns(); ++column) listing.columns.push_back(fmt::format("{}", column));
  add_matrix(transform, operand, listing);
  const std::vector<Line> lines = lines_of(forms, operand, matrix);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].form) continue;
    ListingLine line{static_cast<std::int64_t>(listing.lines.size()), "equations", {}, {{lines[i].text, key_of(i)}}};
    line.fields.resize(listing.columns.size());
    listing.lines.push_back(std::move(line));
  }
  return listing;
}

}  // namespace convscope::winograd
