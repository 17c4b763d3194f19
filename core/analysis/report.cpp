#include "core/analysis/report.h"

namespace convscope::analysis {

ReportLayer report_layer(const network::Layer& layer, const target::CompiledLayer* compiled) {
  ReportLayer row;
  row.layer = layer;
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
  for (const artifact::NamedQuantity& figure : result.figures)
    if (Quantity* derived = metrics.find(figure.key)) *derived = figure.quantity;
}

}  // namespace convscope::analysis
