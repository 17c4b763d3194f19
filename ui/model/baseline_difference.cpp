#include "ui/model/baseline_difference.h"

#include <QCoreApplication>

#include "ui/model/shown_run.h"
#include "ui/words/translated.h"

namespace convscope::ui {
namespace {

using analysis::FigureDifference;

const engine::CompiledNetwork* run_of_layer(const Snapshot& snapshot, int layer) {
  if (layer < 0) return shown_network(snapshot).get();
  const auto index = static_cast<std::size_t>(layer);
  for (const auto* run : {snapshot.compiled.get(), snapshot.previous.get()}) {
    if (run != nullptr && index < run->layers.size() && run->layers[index]) return run;
  }
  return nullptr;
}

const artifact::Metrics* metrics_of(const engine::CompiledNetwork& run, int layer) {
  if (layer < 0) return &run.total;
  const auto& compiled = run.layers[static_cast<std::size_t>(layer)];
  return compiled->mapped() ? &compiled->metrics() : nullptr;
}

/// Whether both runs have and map the same layers: else totals are of different things.
bool whole(const engine::CompiledNetwork& run, const Baseline& baseline) {
  const auto& matching = *baseline.matching;
  const auto matched = static_cast<std::size_t>(matching.matched);
  return matched == matching.layers.size() && matched == matching.others.size() &&
         run.coverage == baseline.run->coverage;
}

/// Over the layers that both have and map.
FigureDifference difference_of_sums(const engine::CompiledNetwork& run, const Baseline& baseline,
                                    const std::string& key) {
  analysis::MetricSums sums, reference_sums;
  for (std::size_t layer = 0; layer < run.layers.size(); ++layer) {
    const artifact::Metrics* reference = baseline.metrics(static_cast<int>(layer));
    if (reference == nullptr || !run.layers[layer] || !run.layers[layer]->mapped()) continue;
    sums.add(run.layers[layer]->metrics());
    reference_sums.add(*reference);
  }
  return analysis::difference(analysis::description_of({}, key), sums.figure(key), reference_sums.figure(key));
}

}  // namespace

analysis::Comparability comparability(const Snapshot& snapshot, const Baseline& baseline) {
  const auto& shown = snapshot.compiled ? snapshot.compiled : snapshot.previous;
  return shown ? analysis::comparability(shown->machine, baseline.run->machine) : analysis::Comparability{};
}

std::string headline_key(const Snapshot& snapshot, const Baseline& baseline) {
  return comparability(snapshot, baseline).cycles ? "cycles" : "seconds";
}

std::optional<FigureDifference> baseline_difference(const Snapshot& snapshot, const Baseline& baseline, int layer,
                                                    const std::string& key) {
  const engine::CompiledNetwork* run = run_of_layer(snapshot, layer);
  const artifact::Metrics* reference = baseline.metrics(layer);
  if (run == nullptr || reference == nullptr) return std::nullopt;
  const artifact::Metrics* metrics = metrics_of(*run, layer);
  const auto common = analysis::comparability(run->machine, baseline.run->machine);
  const bool machine_bound = key != "seconds" && key != "macs" && key.substr(0, 5) != "bytes";
  if (metrics == nullptr || (key == "cycles" && !common.cycles) || (machine_bound && !common.target_figures))
    return std::nullopt;
  if (layer < 0 && !whole(*run, baseline)) {
    auto sums = difference_of_sums(*run, baseline, key);
    return sums.value ? std::optional(std::move(sums)) : std::nullopt;
  }
  return analysis::difference(analysis::description_of(run->target->figures(), key), analysis::figure(*metrics, key),
                              analysis::figure(*reference, key));
}

QString missing_difference(const Snapshot& snapshot, const Baseline& baseline, int layer) {
  if (layer >= 0 && baseline.matching_layer(layer) < 0)
    return translated("no layer of %1 has this name or this shape").arg(baseline.name);
  const engine::CompiledNetwork* run = run_of_layer(snapshot, layer);
  if (run == nullptr) return translated("not compiled yet");
  const bool mapped = metrics_of(*run, layer) != nullptr;
  if (baseline.metrics(layer) == nullptr)
    return mapped ? translated("not mapped in %1").arg(baseline.name) : translated("mapped in neither");
  if (!mapped) return translated("not mapped here");
  return translated("not comparable between these machines");
}

bool mapped_in_neither(const Snapshot& snapshot, const Baseline& baseline, int layer) {
  const engine::CompiledNetwork* run = run_of_layer(snapshot, layer);
  return run != nullptr && metrics_of(*run, layer) == nullptr && baseline.matching_layer(layer) >= 0 &&
         baseline.metrics(layer) == nullptr;
}

}  // namespace convscope::ui
