#pragma once
// What is said of a compiled network as a whole beside its figures: how much of it is mapped, what a batch takes.

#include <QString>
#include <optional>

#include "core/engine/engine.h"

namespace convscope::ui {

/// "87.5 % of the MACs mapped", "coverage unknown", "no MACs".
QString coverage_text(const engine::CompiledNetwork& run);
/// "batch of 4: 12.3 ms"; empty if everything runs once.
QString batch_text(const engine::CompiledNetwork& run);
/// What becomes of the weights of a batch, and why; empty if everything runs once.
QString batch_tip(const engine::CompiledNetwork& run);

}  // namespace convscope::ui
