#pragma once
// A compiled network of which one layer is another.

#include <memory>

#include "core/engine/engine.h"

namespace convscope::engine {

/// Totals, roofline and coverage are those with `result` in the layer's place. Precondition: nothing is linked.
CompiledNetwork with_layer(CompiledNetwork compiled, int layer, std::shared_ptr<const target::CompiledLayer> result);

}  // namespace convscope::engine
