#pragma once
// Published figures and tables made again: our values beside the published ones, as data that the command line prints
// and the window shows.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/published.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/engine.h"

namespace convscope::figures {

/// A cell: a number with its origin, or a text. `decimals` is how people see it; JSON and CSV have all digits.
struct Cell {
  std::string text;
  std::optional<double> value;
  std::string unit;
  Origin origin = Origin::derived;
  int decimals = 2;
};

Cell text_cell(std::string text);
Cell number_cell(std::optional<double> value, std::string unit, Origin origin, int decimals = 2);
/// Relative difference of `value` from `reference`; empty if either is missing.
Cell difference_cell(std::optional<double> value, std::optional<double> reference);

/// A cell as people read it: rounded to its decimals, percentages with their sign.
std::string cell_text(const Cell& cell);

struct Figure {
  std::string id;
  std::string title;
  std::string source;  ///< document, section, figure or table
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;
  /// Rows are each thing of the first column with each of the second one's, in that order: charts set those of the
  /// second side by side.
  bool crossed = false;
};

std::string figure_text(const Figure& figure);
std::string figure_csv(const Figure& figure);
/// { "schema": "convscope-figure", "version": 1, "id", "title", "source", "columns", "rows": [{column: value}], "notes"
/// }
std::string figure_json(const Figure& figure);

/// What making a figure needs.
struct Environment {
  engine::Executor* executor = nullptr;
  target::PassCache* cache = nullptr;
  const analysis::PublishedTables* published = nullptr;
  const catalogue::Catalogue* catalogue = nullptr;
  std::stop_token stop;
  ProgressCallback progress;
};

struct FigureEntry {
  std::string id, title;
};
/// All figures there are, in the order of their sources.
std::vector<FigureEntry> figure_list();

/// Nothing, with diagnostics, if the id is unknown or a sample, a preset or published data is missing.
std::optional<Figure> make_figure(std::string_view id, const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
