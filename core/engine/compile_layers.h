#pragma once
// The engine's own entry to compile(): the same, with a word for each layer as soon as it is done.

#include "core/engine/engine.h"

namespace convscope::engine {

using LayerCallback = std::function<void(int layer, std::shared_ptr<const target::CompiledLayer>)>;

/// As compile(). `layer_done` and `progress` are called on worker threads, one at a time, never after a stop was seen.
CompiledNetwork compile_layers(const Request& request, Executor& executor, target::PassCache& cache,
                               const std::stop_token& stop, const LayerCallback& layer_done,
                               const ProgressCallback& progress);

}  // namespace convscope::engine
