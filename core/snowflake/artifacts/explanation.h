#pragma once
// What binds a layer on Snowflake, and what else could have been decided.

#include <memory>
#include <string>
#include <vector>

#include "core/artifact/explanation.h"
#include "core/snowflake/artifacts/layer_metrics.h"
#include "core/snowflake/compile/compiler.h"

namespace convscope::snowflake {

/// Bounds of the layer: MACs, bandwidth with each word moved once, bandwidth with the words that the tiles move.
/// The other mappings come with what they cost: simulated if they were, else as their bytes and MACs bound them.
/// `remarks`: what is computed otherwise than the network says.
std::shared_ptr<const artifact::Explanation> explain(const MeteredLayer& layer, const artifact::Metrics& metrics,
                                                     const Machine& machine, const Choice& choice,
                                                     const std::vector<std::string>& remarks);

/// The text alone: of a layer that isn't mapped, or that another one computes.
std::shared_ptr<const artifact::Explanation> explain(const std::string& summary);

}  // namespace convscope::snowflake
