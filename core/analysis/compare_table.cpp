#include <cmath>

#include <fmt/format.h>

#include "core/analysis/compare_runs.h"
#include "core/analysis/table.h"
#include "core/analysis/unmapped.h"
#include "core/base/shortened.h"

namespace convscope::analysis {
namespace {

const FigureDifference* find(const std::vector<FigureDifference>& figures, std::string_view key) {
  for (const FigureDifference& each : figures)
    if (each.key == key) return &each;
  return nullptr;
}

std::string value_text(const std::optional<Quantity>& value) {
  if (!value) return "-";
  if (value->unit.empty()) return fmt::format("{:.1f} %", 100 * value->value);
  return value->unit == "s" || value->unit == "byte" ? format_quantity(*value) : number_text(value->value);
}

/// Shares of the peak differ by points of percent; a percentage of a percentage would mislead.
std::string change_text(const FigureDifference& figure) {
  if (figure.verdict == Verdict::same) return "=";
  if (!figure.absolute) return "-";
  if (figure.key == "utilization") return fmt::format("{:+.1f} pp", 100 * *figure.absolute);
  return figure.relative ? percent_text(*figure.relative) : "new";
}

std::string verdict_word(const FigureDifference& figure) {
  const bool judged = figure.verdict == Verdict::better || figure.verdict == Verdict::worse;
  return judged ? std::string(verdict_name(figure.verdict)) : std::string();
}

/// Reference, this run, change, verdict.
void add_cells(const std::vector<FigureDifference>& figures, std::string_view key, std::vector<std::string>& row) {
  if (const FigureDifference* figure = find(figures, key))
    row.insert(row.end(),
               {value_text(figure->reference), value_text(figure->value), change_text(*figure), verdict_word(*figure)});
  else
    row.insert(row.end(), {"", "", "", ""});
}

std::string layer_name(const ComparedLayer& layer) {
  if (layer.name.empty()) return layer.reference_name + " (baseline only)";
  if (layer.reference_name.empty()) return layer.name + " (here only)";
  const std::string other = layer.name == layer.reference_name ? "" : " ~ " + layer.reference_name;
  return layer.name + other + (layer.same_shape ? "" : " *");
}

std::vector<std::string_view> shown_keys(const Comparability& comparability) {
  std::vector<std::string_view> keys;
  if (comparability.cycles) keys.emplace_back("cycles");
  keys.emplace_back("seconds");
  if (comparability.target_figures) keys.emplace_back("utilization");
  keys.emplace_back("bytes");
  return keys;
}

std::string run_text(const Run& run) {
  return fmt::format("{} on {} (preset {}, level {})", shortened(run.network), run.target,
                     run.preset.empty() ? "-" : run.preset, run.level);
}

std::string header_text(const Run& run, const Run& reference, const RunComparison& comparison) {
  std::string text = "baseline  " + run_text(reference) + "\ncompared  " + run_text(run) + "\n";
  for (const ComparedParameter& each : comparison.parameters)
    text += fmt::format("          {}: {} -> {}\n", each.name, each.reference.empty() ? "-" : each.reference,
                        each.value.empty() ? "-" : each.value);
  return text + '\n';
}

std::string number_or_empty(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string csv_value(const std::optional<Quantity>& value, const std::string& text) {
  if (!value) return {};
  return text.empty() ? number_text(value->value) : text;
}

std::string csv_origin(const std::optional<Quantity>& value) {
  return value ? std::string(origin_name(value->origin)) : std::string();
}

void add_lines(const std::string& name, const std::string& reference_name, const std::vector<FigureDifference>& figures,
               TextTable& table) {
  for (const FigureDifference& each : figures)
    table.rows.push_back({name, reference_name, each.key, csv_value(each.reference, each.reference_text),
                          csv_value(each.value, each.text), number_or_empty(each.absolute),
                          number_or_empty(each.relative), std::string(verdict_name(each.verdict)),
                          csv_origin(each.reference), csv_origin(each.value)});
}

/// Layers that one of the runs hasn't mapped, grouped by where that is and why.
std::string unmapped_text(const RunComparison& comparison) {
  UnmappedGroups before, here;
  for (const ComparedLayer& layer : comparison.layers) {
    if (!layer.reference_reason.empty()) before.add({}, layer.reference_name, layer.reference_reason, 0);
    if (!layer.reason.empty()) here.add({}, layer.name, layer.reason, 0);
  }
  std::string text;
  for (const UnmappedLayers& each : before.sorted())
    text += fmt::format("{} not mapped in the baseline: {}\n", each.subject(), each.reason);
  for (const UnmappedLayers& each : here.sorted())
    text += fmt::format("{} not mapped here: {}\n", each.subject(), each.reason);
  return text;
}

}  // namespace

std::string comparison_csv(const RunComparison& comparison) {
  TextTable table{{"layer", "baseline_layer", "figure", "baseline", "compared", "difference", "relative", "verdict",
                   "baseline_origin", "compared_origin"},
                  {}};
  for (const ComparedLayer& layer : comparison.layers) {
    if (layer.figures.empty()) table.rows.push_back({layer.name, layer.reference_name});
    add_lines(layer.name, layer.reference_name, layer.figures, table);
  }
  add_lines("total", "total", comparison.total, table);
  add_lines("both", "both", comparison.common, table);
  return comma_separated(table);
}

std::string comparison_text(const Run& run, const Run& reference, const RunComparison& comparison) {
  const auto keys = shown_keys(comparison.comparability);
  TextTable table{{"layer"}, {}};
  for (const std::string_view key : keys)
    table.columns.insert(table.columns.end(),
                         {fmt::format("{} before", key == "seconds" ? "time" : key), "now", "change", ""});
  for (const ComparedLayer& layer : comparison.layers) {
    std::vector<std::string> row{layer_name(layer)};
    for (const std::string_view key : keys) add_cells(layer.figures, key, row);
    table.rows.push_back(std::move(row));
  }
  // A verdict over different layers would mislead.
  table.rows.push_back({comparison.whole ? "total" : "both"});
  for (const std::string_view key : keys)
    add_cells(comparison.whole ? comparison.total : comparison.common, key, table.rows.back());
  std::string text = header_text(run, reference, comparison) + aligned_text(table);
  text += unmapped_text(comparison);
  if (!comparison.notes.empty()) text += '\n';
  for (const std::string& note : comparison.notes) text += "note: " + note + '\n';
  return text;
}

}  // namespace convscope::analysis
