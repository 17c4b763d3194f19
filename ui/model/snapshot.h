#pragma once
// The picture of a moment that every view draws: runs, baselines, selection. Immutable values; no widgets.

#include <QString>
#include <memory>
#include <vector>

#include "core/analysis/compare_layers.h"
#include "core/analysis/published.h"
#include "core/artifact/ref.h"
#include "core/engine/engine.h"

namespace convscope::ui {

struct ExplorationState;

/// A run that was pinned to compare with.
struct Baseline {
  QString name;
  std::shared_ptr<const engine::CompiledNetwork> run;            ///< complete; never null
  std::shared_ptr<const analysis::LayerMatching> matching = {};  ///< layers of the open network with those of the run
  int id = -1;                                                   ///< as the workbench knows it

  /// True if at least one layer has a match: else there is nothing to compare.
  bool matches() const;
  /// The run's layer that a layer of the open network is; -1 if there is none.
  int matching_layer(int layer) const;
  /// Metrics of the matching layer, or of the whole network for -1; null if it has none.
  const artifact::Metrics* metrics(int layer) const;
};

/// What views draw: an immutable picture of the moment. While a compilation runs, `compiled` holds the layers that are
/// done (others are null) and `stale` the layers of the run before, for views that had better show something.
struct Snapshot {
  std::shared_ptr<const engine::CompiledNetwork> compiled;
  std::shared_ptr<const engine::CompiledNetwork> previous;  ///< last complete run; may be null
  std::vector<std::shared_ptr<const engine::CompiledNetwork>>
      levels;  ///< complete runs at other levels, for charts; may be empty
  std::shared_ptr<const analysis::PublishedTables> published;
  artifact::Ref selection;
  bool busy = false;
  QString message;  ///< kind words for the empty, failed and cancelled state; empty if there is something to show
  std::vector<Baseline> baselines;                      ///< in the order in which they were pinned
  int compared = -1;                                    ///< index of the baseline that tables compare with; -1: none
  std::shared_ptr<const network::Network> network;      ///< the open one, compiled or not; may be null
  std::shared_ptr<const ExplorationState> exploration;  ///< sweep and sensitivity (ui/model/exploration.h); may be null
  std::shared_ptr<const target::CompiledLayer> layer()
      const;  ///< selected layer's result, from `previous` if need be; may be null
  /// Programs that are shown: of the selected layer, or, if none is selected, of the linked network. Null if there are
  /// none, e.g. because the layer is not mapped.
  std::shared_ptr<const target::Compiled> programs() const;
  int program() const;  ///< selected program, within range; 0 if none
  /// The baseline that tables compare with; null if none is chosen or no layer of it matches.
  const Baseline* baseline() const;
};

}  // namespace convscope::ui
