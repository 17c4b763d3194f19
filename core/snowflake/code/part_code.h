#pragma once
// Blocks whose kernels stream through the banks in parts.

#include <vector>

#include "core/snowflake/code/block_code.h"

namespace convscope::snowflake {

/// The loop over tiles as one atom if it fits, else part by part; empty if a part doesn't fit a bank.
std::vector<Atom> part_code(const Block& block, const ComputeMachine& machine);

}  // namespace convscope::snowflake
