#pragma once
// Machines with an inner loop, and what the compiler does for them.

#include <random>

#include "core/nve/architecture/machine.h"
#include "core/nve/passes/loop.h"

namespace convscope::nve::test {

/// As the preset nve-wide.
Machine wide_machine(int accumulators = 16);

/// The level `optimal` on such machines.
Switches looped_switches();

/// Any of their parameters another, within their ranges.
Machine random_wide_machine(std::mt19937_64& random);

}  // namespace convscope::nve::test
