#pragma once
// Figures of all images that a network takes at once, beside those of one.

#include <cstddef>
#include <optional>

#include "core/artifact/batch.h"
#include "core/engine/engine.h"

namespace convscope::engine {

/// Whether anything of the network runs more than once when it runs once.
bool has_batch(const network::Network& network);

/// Of a layer that is mapped and runs more than once; nothing otherwise.
std::optional<artifact::BatchFigures> batch_of(const CompiledNetwork& compiled, std::size_t layer);

/// Of the layers that are compiled and mapped; nothing if the network has no batch.
std::optional<artifact::BatchFigures> batch_total(const CompiledNetwork& compiled);

}  // namespace convscope::engine
