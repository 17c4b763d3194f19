#include "core/analysis/report.h"

namespace convscope::analysis {

ReportLayer report_layer(const network::Network& network, const network::Layer& layer,
                         const target::CompiledLayer* compiled, const PublishedTables& published) {
  ReportLayer row;
  row.layer = layer;
  row.published = published.of_layer(network.name, layer.name);
  if (compiled == nullptr) {
    row.reason = "cancelled before it was compiled";
    return row;
  }
  row.reason = compiled->reason();
  if (compiled->mapped()) row.metrics = compiled->metrics();
  return row;
}

void apply_simulation(ReportLayer& layer, const target::SimulationResult& result) {
  layer.simulation = result;
  artifact::Metrics& metrics = layer.metrics;
  const double derived = result.derived_cycles > 0 ? static_cast<double>(result.derived_cycles) : metrics.cycles.value;
  metrics.cycles.origin = Origin::simulated;
  if (derived <= 0 || result.cycles <= 0) return;
  const double ratio = static_cast<double>(result.cycles) / derived;
  metrics.cycles.value *= ratio;
  metrics.seconds.value *= ratio;
  metrics.utilization.value /= ratio;
}

}  // namespace convscope::analysis
