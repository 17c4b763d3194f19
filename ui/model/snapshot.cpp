#include "ui/model/snapshot.h"

#include <algorithm>

namespace convscope::ui {
namespace {

using CompiledLayer = std::shared_ptr<const target::CompiledLayer>;

CompiledLayer layer_of(const engine::CompiledNetwork* run, int layer) {
  if (!run || layer < 0 || layer >= static_cast<int>(run->layers.size())) return nullptr;
  return run->layers[static_cast<std::size_t>(layer)];
}

}  // namespace

bool Baseline::matches() const {
  return matching && matching->matched > 0;
}

int Baseline::matching_layer(int layer) const {
  const auto index = static_cast<std::size_t>(layer);
  return matching && layer >= 0 && index < matching->layers.size() ? matching->layers[index].other : -1;
}

const artifact::Metrics* Baseline::metrics(int layer) const {
  if (layer < 0) return matches() ? &run->total : nullptr;
  const CompiledLayer found = layer_of(run.get(), matching_layer(layer));
  return found && found->mapped() ? &found->metrics() : nullptr;
}

const Baseline* Snapshot::baseline() const {
  if (compared < 0 || static_cast<std::size_t>(compared) >= baselines.size()) return nullptr;
  const Baseline& chosen = baselines[static_cast<std::size_t>(compared)];
  return chosen.matches() ? &chosen : nullptr;
}

CompiledLayer Snapshot::layer() const {
  if (CompiledLayer current = layer_of(compiled.get(), selection.layer)) return current;
  // Figures of another network's layer would be wrong, not stale.
  if (compiled && previous && compiled->network != previous->network) return nullptr;
  return layer_of(previous.get(), selection.layer);
}

std::shared_ptr<const target::Compiled> Snapshot::programs() const {
  if (const CompiledLayer shown = layer()) return shown->mapped() ? shown : nullptr;
  const auto& run = compiled && compiled->complete ? compiled : previous;
  const bool joined = run && selection.layer < 0 && run->linked && run->linked->program_count() > 0;
  return joined ? run->linked : nullptr;
}

int Snapshot::program() const {
  const auto shown = programs();
  if (!shown || shown->program_count() <= 0) return 0;
  const int holder = selection.operation != 0 ? shown->program_of(selection.operation) : -1;
  return std::clamp(holder >= 0 ? holder : selection.program, 0, shown->program_count() - 1);
}

}  // namespace convscope::ui
