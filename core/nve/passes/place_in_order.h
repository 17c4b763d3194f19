#pragma once
// A loop's schedule from the order of its vector operations.

#include <optional>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Vector operations one after the other, bodies and iterations without a pause, each as soon as its registers can be
/// loaded. The time between two vector operations is the only one in which the later one's registers may change, so it
/// is as long as their loads need: one word a cycle through port A, one image operation a cycle. Writes then take the
/// latest free slots of their port that are soon enough, activations the first that they may.
/// The interval is the longest of this chain and of what any field is used: the least one for the packing at hand.
/// Precondition: `loop` is a complete problem (loop_problem.h). Linear in its size but for writes.
schedule::Schedule place_in_order(const Loop& loop, const SchedulingMachine& machine);

}  // namespace convscope::nve
