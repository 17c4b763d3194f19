#pragma once
// Two runs of a network, or of two networks, side by side: layers matched, every figure compared, in the order of the
// network. A run comes from a report file or from the engine.

#include <map>
#include <string>
#include <vector>

#include "core/analysis/compare_figures.h"
#include "core/analysis/compare_layers.h"
#include "core/analysis/report.h"

namespace convscope::analysis {

struct RunLayer {
  LayerIdentity identity;
  std::string reason;         ///< why it is not mapped; empty if it is
  artifact::Metrics metrics;  ///< of layers that are not mapped only `macs` means something
  bool mapped() const { return reason.empty(); }
};

/// What of a report is compared.
struct Run {
  std::string network, target, preset, level;
  std::map<std::string, std::string> parameters;  ///< name to value, as people write it
  std::vector<RunLayer> layers;
  artifact::Metrics total;
  artifact::Coverage coverage = 1;
  bool complete = true;
  Figures figures;         ///< of the target; what has no description among them is neutral
  int unknown_layers = 0;  ///< they multiply nobody knows how much, so that coverage is unknown
};

Run run_of(const Report& report);

struct ComparedLayer {
  std::string name, reference_name;  ///< empty where a run does not have it
  std::string operator_name;
  LayerMatch::By matched_by = LayerMatch::By::none;
  bool same_shape = false;
  std::string reason, reference_reason;   ///< why a run did not map it
  std::vector<FigureDifference> figures;  ///< MACs alone if one of the runs did not map it; none without a match
};

struct ComparedParameter {
  std::string name, value, reference;  ///< empty where a machine has no such parameter
};

struct RunComparison {
  Comparability comparability;
  std::vector<ComparedParameter> parameters;  ///< those that differ; none if the targets do
  std::vector<ComparedLayer>
      layers;  ///< in the order of this run; what only the reference has stands where it is there
  std::vector<FigureDifference> total;   ///< of the whole networks, as far as each is mapped
  std::vector<FigureDifference> common;  ///< sums over the layers that both have and map
  int matched = 0;
  int common_layers = 0;
  bool whole = false;              ///< both have and map the same layers, so that totals are of the same
  std::vector<std::string> notes;  ///< what a reader must know before drawing conclusions
};

RunComparison compare_runs(const Run& run, const Run& reference);

/// The `compare --json` object, see docs/compare-json.md. Same runs, same bytes.
std::string comparison_json(const Run& run, const Run& reference, const RunComparison& comparison);
/// One line for each figure of each layer and of the total.
std::string comparison_csv(const RunComparison& comparison);
/// For people.
std::string comparison_text(const Run& run, const Run& reference, const RunComparison& comparison);

}  // namespace convscope::analysis
