#include "core/figures/compiled_report.h"

#include <numeric>

#include "core/analysis/comparable.h"
#include "core/engine/batch.h"

namespace convscope::figures {
namespace {

std::vector<int> shown_layers(const network::Network& network, const std::vector<int>& only) {
  if (!only.empty()) return only;
  std::vector<int> all(network.layers.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

analysis::Report report_of(const engine::CompiledNetwork& compiled, const analysis::PublishedTables& published,
                           const std::vector<int>& only_layers) {
  const network::Network& network = *compiled.network;
  analysis::Report report{network.name,
                          compiled.target->id(),
                          compiled.preset,
                          compiled.level,
                          compiled.machine,
                          {},
                          compiled.total,
                          {},
                          compiled.coverage,
                          true,
                          {},
                          compiled.target->figures()};
  for (const int index : shown_layers(network, only_layers)) {
    const auto at = static_cast<std::size_t>(index);
    const target::CompiledLayer* layer = at < compiled.layers.size() ? compiled.layers[at].get() : nullptr;
    if (layer == nullptr) report.complete = false;
    report.layers.push_back(analysis::report_layer(network.layers[at], layer));
    report.layers.back().batch = engine::batch_of(compiled, at);
  }
  report.batch = engine::batch_total(compiled);
  report.unknown_layers = network.unknown_layers();
  // Published totals are those of whole networks.
  analysis::add_published(published, only_layers.empty() && report.complete, report);
  return report;
}

}  // namespace convscope::figures
