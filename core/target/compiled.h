#pragma once
// What a compiler hands out: of a layer, and of a whole network where a target links one.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/artifact/batch.h"
#include "core/artifact/decision_tree.h"
#include "core/artifact/explanation.h"
#include "core/artifact/links.h"
#include "core/artifact/listing.h"
#include "core/artifact/memory_map.h"
#include "core/artifact/metrics.h"
#include "core/artifact/source.h"
#include "core/artifact/task_graph.h"
#include "core/artifact/tile_plan.h"
#include "core/artifact/timeline.h"
#include "core/base/cancellation.h"
#include "core/base/diagnostic.h"
#include "core/target/simulate.h"
#include "core/target/tilings.h"

namespace convscope::target {

/// Programs with their figures and artifacts. Figures are there at once; heavy artifacts are made when asked for, on
/// the caller's thread, and may be asked for from several threads. A target that cannot produce an artifact returns
/// null.
class Compiled {
 public:
  virtual ~Compiled() = default;

  virtual const artifact::Metrics& metrics() const = 0;

  /// Why a program that was made for this is wrong: our own verifier or simulator refuses it, so the fault is ours and
  /// neither the network's nor the machine's. Empty if there is none. A layer that is not mapped for it says so in its
  /// reason, too (`fault_reason`); one that another program was found for is mapped all the same.
  virtual std::string fault() const { return {}; }

  virtual int program_count() const { return 0; }
  virtual std::string program_name(int /*program*/) const { return {}; }
  /// Program that holds an operation, or -1.
  virtual int program_of(artifact::OperationKey /*operation*/) const { return -1; }
  virtual std::shared_ptr<const artifact::TaskGraph> task_graph(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::Timeline> timeline(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::Listing> listing(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::MemoryMap> memory_map(int /*program*/) const { return nullptr; }
  virtual std::shared_ptr<const artifact::Links> links(int /*program*/) const { return nullptr; }
  /// A program that is generated as text for somebody else's compiler.
  virtual std::shared_ptr<const artifact::Source> source(int /*program*/) const { return nullptr; }
  /// Bounds, what binds, and what was rejected.
  virtual std::shared_ptr<const artifact::Explanation> explanation() const { return nullptr; }
  /// The self-contained program file (see docs/), as written by `compile` and read by `simulate` and `verify`.
  virtual std::string program_file(int /*program*/) const { return {}; }

  /// Runs every program on an input and compares with the fixed-point reference. `options` are those of the target's
  /// SimulationTools. Nothing if this can't be simulated. Throws Cancelled.
  virtual std::optional<SimulationResult> simulate(const OptionValues& /*options*/, const std::stop_token& /*stop*/,
                                                   Diagnostics& /*diagnostics*/) const {
    return std::nullopt;
  }
};

/// The program, if it has a file and so is one that runs; else the first that does; -1: none does.
inline int program_with_file(const Compiled& compiled, int program) {
  if (program < compiled.program_count() && !compiled.program_file(program).empty()) return program;
  for (int other = 0; other < compiled.program_count(); ++other)
    if (other != program && !compiled.program_file(other).empty()) return other;
  return -1;
}

/// The reason of a layer that is not mapped for a fault of ours.
inline std::string fault_reason(const std::string& fault) {
  return fault.empty() ? fault : "internal error: " + fault;
}

class CompiledLayer : public Compiled {
 public:
  bool mapped() const { return reason().empty(); }
  /// Why the layer cannot be mapped; empty if it is.
  virtual const std::string& reason() const = 0;
  /// What `images` at once take, and whether weights are fetched once for all of them: by the target's model, or an
  /// estimate. One image after the other unless the target says otherwise; of a mapped layer.
  virtual artifact::BatchFigures batch(std::int64_t images) const {
    return artifact::image_after_image(metrics(), images, "one image after the other");
  }
  virtual std::shared_ptr<const artifact::TilePlan> tile_plan() const { return nullptr; }
  /// How the layer's program was chosen, where decisions are a tree.
  virtual std::shared_ptr<const artifact::DecisionTree> decision_tree() const { return nullptr; }
  /// Other tilings of this layer; null where there is no tile plan. May be called from several threads.
  virtual std::unique_ptr<const TilingTools> tiling_tools() const { return nullptr; }
};

using CompiledLayers = std::vector<std::shared_ptr<const CompiledLayer>>;

/// The layers of a network joined into one program or a few: `metrics` are the network's total.
class LinkedNetwork : public Compiled {
 public:
  /// The layers as they stand in the linked program, as many as were linked: a layer's seconds run from its
  /// predecessor's end to its own, so they add up to the total's.
  virtual const CompiledLayers& layers() const = 0;
};

/// What passes over the whole network decided before any layer is compiled (fixed-point positions, DRAM regions, …):
/// the target's own, handed back to its `compile` and `link`.
class NetworkPlan {
 public:
  virtual ~NetworkPlan() = default;
};

}  // namespace convscope::target
