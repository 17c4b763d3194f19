#pragma once
// What the compiler hands out: layers with programs of their own, and layers that others compute.

#include <memory>
#include <optional>
#include <string>

#include "core/network/network.h"
#include "core/snowflake/compile/layer_program.h"
#include "core/snowflake/program_tools.h"
#include "core/target/compiled.h"

namespace convscope::snowflake {

/// A layer's part of a whole network's run.
struct LinkedRun {
  LayerRun run;
  double imbalance = 0;
  bool first = false;  ///< the network begins with it
};

/// A layer with a program of its own. Its figures are those of the program alone, cold, or of its part of a network's.
std::shared_ptr<const target::CompiledLayer> make_mapped(const network::Layer& layer, const ParsedLayer& parsed,
                                                         const target::Remembered<TimedProgram>& timed,
                                                         TrainedLayers trained,
                                                         const std::optional<LinkedRun>& linked = std::nullopt);

/// A layer that `by` computes, or that moves nothing.
std::shared_ptr<const target::CompiledLayer> make_folded(const network::Layer& layer, const std::string& by);

std::shared_ptr<const target::CompiledLayer> make_unmapped(const network::Layer& layer, const std::string& reason,
                                                           const std::string& fault = {});

/// All layers as one program; `layers` are those of the network in its run.
std::shared_ptr<const target::LinkedNetwork> make_linked(const std::string& name, target::CompiledLayers layers,
                                                         const target::Remembered<TimedProgram>& timed,
                                                         TrainedLayers trained, artifact::Metrics total);

/// Layers that couldn't be joined, as they are alone: no program of the network.
std::shared_ptr<const target::LinkedNetwork> make_unlinked(target::CompiledLayers layers, artifact::Metrics total,
                                                           const std::string& fault);

}  // namespace convscope::snowflake
