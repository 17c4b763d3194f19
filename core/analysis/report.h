#pragma once
// The layer table of a compiled network: the one set of figures that the command line prints and the window shows.
// docs/report-json.md is the schema.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/comparison.h"
#include "core/analysis/published.h"
#include "core/arch/parameters.h"
#include "core/artifact/batch.h"
#include "core/artifact/coverage.h"
#include "core/artifact/metrics.h"
#include "core/network/network.h"
#include "core/target/target.h"

namespace convscope::analysis {

struct ReportLayer {
  network::Layer layer;
  std::string reason;                             ///< why it is not mapped; empty if it is
  artifact::Metrics metrics;                      ///< meaningless if not mapped
  std::map<std::string, MetricValues> published;  ///< source -> metric -> value
  std::optional<target::SimulationResult> simulation;
  std::optional<artifact::BatchFigures> batch = {};  ///< if it is mapped and runs more than once
  bool mapped() const { return reason.empty(); }
};

/// Sums over the layers of some operators, beside what is published of these alone.
struct PartOfTotal {
  std::string operators;
  MetricValues sums;
  std::map<std::string, MetricValues> published;
};

struct Report {
  std::string network, target, preset, level;
  arch::ParameterValues machine;
  std::vector<ReportLayer> layers;
  artifact::Metrics total;
  std::map<std::string, MetricValues> total_published;
  artifact::Coverage coverage{};
  bool complete = true;  ///< false if compilation was cancelled
  std::optional<double> compile_seconds;
  std::vector<artifact::FigureDescription> figures = {};  ///< of the target
  std::optional<artifact::BatchFigures> batch = {};       ///< of `layers`; nothing where everything runs once
  std::optional<target::SimulationResult> whole = {};     ///< the network run as a whole
  int unknown_layers = 0;                                 ///< of the whole network: they multiply nobody knows how much
  /// Sources whose totals don't stand beside this one, by the reason.
  std::map<std::string, std::vector<std::string>> not_compared = {};
  std::vector<PartOfTotal> parts = {};  ///< which such sources count
};

/// One layer of a report, but for what is published of it. A null `compiled` is a layer that was cancelled.
ReportLayer report_layer(const network::Layer& layer, const target::CompiledLayer* compiled);

/// Keeps what the run counted, and puts the figures that it answers in the place of the derived ones.
void apply_simulation(ReportLayer& layer, const target::SimulationResult& result);

/// The `report --json` object, indented, ended by a line feed. Same report, same bytes.
std::string report_json(const Report& report);
/// A line for each layer and one named "total"; the columns are the keys of the JSON, objects joined by a dot.
std::string report_csv(const Report& report);
/// For people: the layer table, totals, and our figures beside the published ones.
std::string report_text(const Report& report);

}  // namespace convscope::analysis
