#pragma once
// Which run is shown: the newest results, or those of the run before.

#include <memory>

#include "ui/model/snapshot.h"

namespace convscope::ui {

struct LayerResult {
  std::shared_ptr<const target::CompiledLayer> layer;  ///< may be null
  bool stale = false;                                  ///< of the run before
};

LayerResult layer_result(const Snapshot& snapshot, int layer);

/// Figures of the whole network: of the last complete run; null if there is none yet.
std::shared_ptr<const engine::CompiledNetwork> network_result(const Snapshot& snapshot);

/// The run whose figures are shown: the new one once it has results, else the one before; may be null.
std::shared_ptr<const engine::CompiledNetwork> shown_network(const Snapshot& snapshot);

}  // namespace convscope::ui
