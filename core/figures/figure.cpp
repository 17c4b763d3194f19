#include "core/figures/figure.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/analysis/comparison.h"
#include "core/analysis/table.h"

namespace convscope::figures {
namespace {

std::string data_text(const Cell& cell) {
  return cell.value ? analysis::number_text(*cell.value) : cell.text;
}

nlohmann::ordered_json json_value(const Cell& cell) {
  if (cell.value) return *cell.value;
  if (cell.text.empty()) return nullptr;
  return cell.text;
}

analysis::TextTable table_of(const Figure& figure, std::string (*text)(const Cell&)) {
  analysis::TextTable table{figure.columns, {}};
  for (const auto& row : figure.rows) {
    table.rows.emplace_back();
    for (const Cell& cell : row) table.rows.back().push_back(text(cell));
  }
  return table;
}

}  // namespace

std::string cell_text(const Cell& cell) {
  if (!cell.value) return cell.text;
  if (cell.unit == "%") return fmt::format("{:.{}f} %", *cell.value * 100, cell.decimals);
  if (cell.unit == "±%") return analysis::percent_text(*cell.value);
  return fmt::format("{:.{}f}", *cell.value, cell.decimals);
}

Cell text_cell(std::string text) {
  return {std::move(text), std::nullopt, "", Origin::derived, 0};
}

Cell number_cell(std::optional<double> value, std::string unit, Origin origin, int decimals) {
  return {"", value, std::move(unit), origin, decimals};
}

Cell difference_cell(std::optional<double> value, std::optional<double> reference) {
  std::optional<double> difference;
  if (value && reference) difference = analysis::relative_difference(*value, *reference);
  return {"", difference, "±%", Origin::derived, 2};
}

std::string figure_text(const Figure& figure) {
  std::string text = fmt::format("{}: {}\n{}\n\n", figure.id, figure.title, figure.source);
  text += analysis::aligned_text(table_of(figure, cell_text));
  if (!figure.notes.empty()) text += '\n';
  for (const std::string& note : figure.notes) text += note + '\n';
  return text;
}

std::string figure_csv(const Figure& figure) {
  return analysis::comma_separated(table_of(figure, data_text));
}

std::string figure_json(const Figure& figure) {
  nlohmann::ordered_json json{{"schema", "convscope-figure"},
                              {"version", 1},
                              {"id", figure.id},
                              {"title", figure.title},
                              {"source", figure.source},
                              {"columns", figure.columns}};
  json["rows"] = nlohmann::ordered_json::array();
  for (const auto& row : figure.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < row.size(); ++c) object[figure.columns[c]] = json_value(row[c]);
    json["rows"].push_back(std::move(object));
  }
  json["notes"] = figure.notes;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace convscope::figures
