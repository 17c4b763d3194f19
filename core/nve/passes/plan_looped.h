#pragma once
// How a looped program's maps are divided: groups that are summed up at once, and what a pass of each takes.

#include <vector>

#include "core/nve/passes/core_sharing.h"
#include "core/nve/passes/estimate_program.h"
#include "core/nve/passes/looped_program.h"
#include "core/target/pass.h"

namespace convscope::nve {

/// A looped program of so many maps, and what it costs over a strip.
struct LoopedGroup {
  LoopedShape shape;
  Window window;
  LoopedCost cost;
};

/// Output maps that take the same inputs, cut into groups in their order; empty if none fits the machine. Groups as
/// large as the accumulators and buffers allow, all but the last alike, or as even as they can be: whichever is done
/// first on `cores` that share `blocks` such sets of maps. Units and lead of a group are the best of those tried, a few
/// of either: heuristic.
std::vector<LoopedGroup> divide_looped(const target::PassRun& run, int inputs, int maps, int blocks,
                                       const std::vector<Window>& layouts, const OutputSize& output, int cores,
                                       const SchedulingMachine& machine);

/// The program of a group, remembered. `products` of a sum decide how biases and sums are scaled (scale_sums).
target::Remembered<StructureProgram> looped_program(const target::PassRun& run, const LoopedShape& shape,
                                                    const Window& window, int products,
                                                    const SchedulingMachine& machine);

/// Positions of the binary point: sums grow with the root of the number of their products, and the activation table
/// sees ten bits of them. Biases are shifted as far as sums are, as far as the machine can.
struct SumScale {
  int activation_shift = 8, bias_shift = 0;
};
SumScale scale_sums(int products, const SchedulingMachine& machine);

/// Largest magnitude of weights with which no sum of so many products and a bias overflows 32 bits; may be 0.
std::int64_t largest_weight(std::int64_t products, const SumScale& scale);

}  // namespace convscope::nve
