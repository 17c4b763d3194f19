#include <fmt/format.h>

#include "core/analysis/table.h"
#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/nve_thesis/nve_levels.h"

namespace convscope::figures {
namespace {

constexpr const char* figure36_metric = "mac_per_instruction";
constexpr const char* changes = "thesis-section7.2";

std::string change_note(const std::string& what, std::optional<double> ours, std::optional<double> published) {
  return fmt::format("{}: {} here, {} published (mean over layers).", what, ours ? analysis::percent_text(*ours) : "-",
                     published ? analysis::percent_text(*published) : "-");
}

std::optional<double> mean_from_manual(const Figure& figure, std::size_t level) {
  double sum = 0;
  int count = 0;
  for (const auto& row : figure.rows) {
    const auto manual = row[2].value, ours = row[3 + level].value;
    if (!manual || !ours) continue;
    sum += *ours / *manual - 1;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

std::optional<Figure> nve_figure36(const Environment& environment, Diagnostics& diagnostics) {
  const std::vector<LevelRow> rows = at_nve_levels(figure36_metric, environment, diagnostics);
  if (rows.empty()) return std::nullopt;
  const analysis::PublishedTables& published = *environment.published;
  Figure figure{"nve-fig36", "Utilization at each level beside manual code, MAC / instruction", "", {}, {}, {}};
  figure.columns = {"network", "layer", "manual published"};
  for (const char* level : nve_levels) figure.columns.emplace_back(level);
  figure.columns.insert(figure.columns.end(), {"automatic published", "fusion from automatic", "fusion from manual"});
  for (const LevelRow& row : rows) {
    const auto manual = published.find("thesis-table5-manual", row.network, row.layer, figure36_metric);
    const auto automatic = published.find("thesis-table5-automatic", row.network, row.layer, figure36_metric);
    std::vector<Cell> cells{text_cell(row.network), text_cell(row.layer),
                            number_cell(manual, "MAC/instruction", Origin::published)};
    for (const auto& value : row.values) cells.push_back(number_cell(value, "MAC/instruction", Origin::derived));
    cells.push_back(number_cell(automatic, "MAC/instruction", Origin::published));
    cells.push_back(difference_cell(row.values[fusion_level], automatic));
    cells.push_back(difference_cell(row.values[fusion_level], manual));
    figure.rows.push_back(std::move(cells));
  }
  const auto stated = [&](const std::string& step) {
    return published.find(changes, "", "", std::string(figure36_metric) + "_change_" + step);
  };
  figure.notes = {
      change_note("none from manual", mean_from_manual(figure, 0), stated("none_from_manual")),
      change_note("packing from none", mean_change(rows, 0, 1), stated("packing_from_none")),
      change_note("modulo from packing", mean_change(rows, 1, 2), stated("modulo_from_packing")),
      "The bars' values at levels none, packing and modulo are not stated in the text.",
      "The two levels behind fusion go beyond the thesis: intervals at their proven bounds, with its layout of "
      "pixels or with any."};
  return figure;
}

}  // namespace convscope::figures
