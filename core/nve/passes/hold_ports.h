#pragma once
// Words stay at a port only until its next read.

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Ties every read to the register operation that takes its word: neither earlier nor later than read_to_set after it.
/// A port keeps its word until its next read. To say so in general, the order of reads would have to be known; tied
/// this way, the port's field is all that reads share, and nothing is lost: two register operations that would want a
/// port at once exclude each other by what they take in their own cycle.
void hold_ports(Loop& loop);

/// Whether a dependence of the problem is one that hold_ports has added.
bool holds_port(const Loop& loop, const schedule::Dependence& dependence);

}  // namespace convscope::nve
