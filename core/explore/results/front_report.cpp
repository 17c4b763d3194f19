#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/analysis/table.h"
#include "core/explore/results/results_front.h"

namespace convscope::explore {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SqlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

std::string text_of(const SqlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value)) return analysis::number_text(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

bool is_parameter(const std::string& column) {
  return column.find('.') != std::string::npos;
}

// Parameters are named as a machine's own, so that they can be set again.
Json row_json(const FrontReport& report, const FrontRow& row) {
  Json json = Json::object(), parameters = Json::object();
  json["on_front"] = row.on_front;
  for (std::size_t i = 0; i < report.columns.size(); ++i) {
    if (std::holds_alternative<std::monostate>(row.values[i])) continue;
    (is_parameter(report.columns[i]) ? parameters : json)[report.columns[i]] = json_of(row.values[i]);
  }
  json["parameters"] = std::move(parameters);
  return json;
}

double share(const FrontReport& report) {
  return report.size > 0 ? static_cast<double>(report.seen) / static_cast<double>(report.size) : 0;
}

/// Columns that differ between rows, and those of the objectives.
std::vector<std::size_t> telling_columns(const FrontReport& report) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < report.columns.size(); ++i) {
    const std::string& name = report.columns[i];
    bool telling = name == "point" || name == "target";
    for (const Objective& objective : report.objectives) telling = telling || objective.key == name;
    for (const FrontRow& row : report.rows)
      telling = telling || ((is_parameter(name) || name == "preset" || name == "level") &&
                            row.values[i] != report.rows.front().values[i]);
    if (telling) columns.push_back(i);
  }
  return columns;
}

}  // namespace

std::string front_json(const FrontReport& report) {
  Json json{{"schema", "convscope-front"},
            {"version", 1},
            {"space", report.space},
            {"strategy", report.strategy},
            {"points", report.size},
            {"seen", report.seen},
            {"share", share(report)},
            {"minimum_coverage", report.minimum_coverage},
            {"below_coverage", report.below_coverage}};
  json["removed"] = Json::array();
  for (const auto& [reason, points] : report.removed)
    json["removed"].push_back({{"reason", reason}, {"points", points}});
  json["objectives"] = Json::array();
  for (const Objective& objective : report.objectives)
    json["objectives"].push_back({{"name", objective.key}, {"best", objective.maximize ? "most" : "least"}});
  json["front"] = Json::array();
  for (const FrontRow& row : report.rows) json["front"].push_back(row_json(report, row));
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string front_csv(const FrontReport& report) {
  analysis::TextTable table{report.columns, {}};
  table.columns.insert(table.columns.begin(), "on_front");
  for (const FrontRow& row : report.rows) {
    std::vector<std::string> cells = {row.on_front ? "1" : "0"};
    for (const SqlValue& value : row.values) cells.push_back(text_of(value));
    table.rows.push_back(std::move(cells));
  }
  return analysis::comma_separated(table);
}

std::string front_text(const FrontReport& report) {
  analysis::TextTable table;
  const std::vector<std::size_t> columns = telling_columns(report);
  for (const std::size_t column : columns) table.columns.push_back(report.columns[column]);
  for (const FrontRow& row : report.rows) {
    std::vector<std::string> cells;
    for (const std::size_t column : columns) cells.push_back(text_of(row.values[column]));
    table.rows.push_back(std::move(cells));
  }
  std::string text =
      fmt::format("{}: {} of {} points seen ({:.3g} %)\n", report.space, report.seen, report.size, 100 * share(report));
  for (const auto& [reason, points] : report.removed) text += fmt::format("  {} removed: {}\n", points, reason);
  if (report.below_coverage > 0)
    text += fmt::format("  {} map less than {:.3g} % of the MACs and are not compared\n", report.below_coverage,
                        100 * report.minimum_coverage);
  return text + '\n' + analysis::aligned_text(table);
}

}  // namespace convscope::explore
