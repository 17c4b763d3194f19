#pragma once
// The simulator's rules once more, as directly as they can be said: every cycle is looked at, and whether a command may
// be given is asked of all commands before it, pair by pair.

#include <vector>

#include "core/dram/simulate/simulate.h"

namespace convscope::dram {

/// Cycles that must lie between two commands, the later one being `b`; 0 if they don't mind each other. Four-activate
/// windows are not in it.
std::int64_t gap(const Parameters& p, const Command& a, const Command& b);

/// As simulate(), for one channel.
Simulation simulate_naively(const Parameters& p, const std::vector<Request>& requests, bool settle);

}  // namespace convscope::dram
