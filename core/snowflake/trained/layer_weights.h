#pragma once
// What a network's file says about the weights of a layer of a program.

#include <optional>

#include "core/quantization/real_parameters.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

using quantization::LayerNodes;
using quantization::RealParameters;

/// As quantization::real_parameters; nothing for pools.
std::optional<RealParameters> real_parameters(const network::Graph& graph, const LayerNodes& nodes,
                                              const ProgramLayer& layer);

}  // namespace convscope::snowflake
