#pragma once
// Inputs of a network in floating point, by what an option says.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/graph.h"
#include "core/reference/executor.h"
#include "core/reference/image_inputs.h"

namespace convscope::quantization {

/// Two sets of inputs (seeded_inputs): of a run, and others that have a say in its formats. Nothing, with diagnostics,
/// if a shape isn't known.
std::optional<std::vector<reference::FloatTensors>> made_up_inputs(const network::Graph& graph, std::uint64_t seed,
                                                                   Diagnostics& diagnostics);

/// The inputs that an option names: "seed:N" (made_up_inputs), or the file of an image. Nothing, with diagnostics, if
/// it can't be taken.
std::optional<std::vector<reference::FloatTensors>> named_inputs(const network::Graph& graph, const std::string& image,
                                                                 const reference::PixelScale& pixels,
                                                                 Diagnostics& diagnostics);

}  // namespace convscope::quantization
