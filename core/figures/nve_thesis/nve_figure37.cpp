#include "core/figures/nve_thesis/nve_figures.h"
#include "core/figures/nve_thesis/nve_levels.h"

namespace convscope::figures {
namespace {

constexpr const char* figure37_source = "thesis-section7.2";

std::optional<double> change(std::optional<double> before, std::optional<double> now) {
  if (!before || !now || *before == 0) return std::nullopt;
  return *now / *before - 1;
}

}  // namespace

std::optional<Figure> nve_figure37(const Environment& environment, Diagnostics& diagnostics) {
  const std::vector<LevelRow> rows = at_nve_levels("words_transferred", environment, diagnostics);
  if (rows.empty()) return std::nullopt;
  Figure figure{"nve-fig37", "Data transfer at each level, words", "", {}, {}, {}};
  figure.columns = {"network", "layer"};
  for (const char* level : nve_levels) figure.columns.emplace_back(level);
  figure.columns.insert(figure.columns.end(), {"fusion from modulo", "fusion from modulo published (up to)"});
  for (const LevelRow& row : rows) {
    std::vector<Cell> cells{text_cell(row.network), text_cell(row.layer)};
    for (const auto& value : row.values) cells.push_back(number_cell(value, "word", Origin::derived, 0));
    cells.push_back({"", change(row.values[modulo_level], row.values[fusion_level]), "±%", Origin::derived, 2});
    cells.push_back(
        {"", environment.published->find(figure37_source, "", row.layer, "words_transferred_change_fusion_from_modulo"),
         "±%", Origin::published, 2});
    figure.rows.push_back(std::move(cells));
  }
  figure.notes = {
      "The bars' values, manual code's among them, are not stated in the text: only the reductions of L1 and L2,",
      "and that L1 without fusion moves three times the words of manual code.",
      "Polyphase layout (optimal, subsampled layers) moves six words a column where image order moves five."};
  return figure;
}

}  // namespace convscope::figures
