#include "ui/model/shown_run.h"

#include <algorithm>

namespace convscope::ui {
namespace {

std::shared_ptr<const target::CompiledLayer> layer_of(const std::shared_ptr<const engine::CompiledNetwork>& run,
                                                      int layer) {
  const auto index = static_cast<std::size_t>(layer);
  return run && layer >= 0 && index < run->layers.size() ? run->layers[index] : nullptr;
}

}  // namespace

LayerResult layer_result(const Snapshot& snapshot, int layer) {
  if (auto newest = layer_of(snapshot.compiled, layer)) return {std::move(newest), false};
  return {layer_of(snapshot.previous, layer), true};
}

std::shared_ptr<const engine::CompiledNetwork> network_result(const Snapshot& snapshot) {
  return snapshot.compiled && snapshot.compiled->complete ? snapshot.compiled : snapshot.previous;
}

std::shared_ptr<const engine::CompiledNetwork> shown_network(const Snapshot& snapshot) {
  const auto has_results = [](const std::shared_ptr<const engine::CompiledNetwork>& run) {
    return run &&
           std::any_of(run->layers.begin(), run->layers.end(), [](const auto& layer) { return layer != nullptr; });
  };
  if (snapshot.compiled && snapshot.compiled->complete) return snapshot.compiled;
  if (has_results(snapshot.previous)) return snapshot.previous;
  return has_results(snapshot.compiled) ? snapshot.compiled : nullptr;
}

}  // namespace convscope::ui
