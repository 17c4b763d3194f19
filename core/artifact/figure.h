#pragma once
// What a figure is, said once where it is made: tables, charts, comparisons, sweeps and files go by it and know no key.

#include <string>
#include <string_view>
#include <vector>

namespace convscope::artifact {

/// Which way a figure is better. Neutral ones say what was done, not how well: MACs, programs, tile sizes.
enum class Better { neutral, less, more };

/// What can be drawn of a layer.
enum class ArtifactKind { schedule, task_graph, tiling, program, memory };

struct FigureDescription {
  std::string key = {};          ///< as in `report --json`; "tile.TR" is TR of the object tile
  std::string label = {};        ///< for people, e.g. "MAC / instruction"
  std::string total_label = {};  ///< of a whole network where it reads otherwise; empty: `label`
  std::string unit = {};         ///< base unit; empty for counts, ratios and words
  Better better = Better::neutral;
  bool detail = false;     ///< for files and tooltips only: tables for people leave it out
  bool ratio = false;      ///< a quotient even where it happens to be whole; of several networks the mean by cycles
  bool objective = false;  ///< a front can be drawn over it; then its key is a plain word, without a dot
  bool cost = false;       ///< what a machine is made of, not how it fares
  std::vector<ArtifactKind> artifacts = {};  ///< above whose pictures it is compared

  bool shows(ArtifactKind artifact) const;
  const std::string& label_of_total() const { return total_label.empty() ? label : total_label; }
};

/// Null if no description has the key.
const FigureDescription* find_figure(const std::vector<FigureDescription>& figures, std::string_view key);

/// Figures that mean the same on every target: macs, cycles, seconds, utilization, bytes_in, bytes_out, bytes_weights,
/// and bytes, the sum of the last three. Labels of totals are those of sweeps.
const std::vector<FigureDescription>& common_figures();
/// One of them; its key must be there.
const FigureDescription& common_figure(std::string_view key);

}  // namespace convscope::artifact
