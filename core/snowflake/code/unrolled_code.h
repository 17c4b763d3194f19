#pragma once
// Blocks written out.

#include <vector>

#include "core/snowflake/code/block_code.h"

namespace convscope::snowflake {

/// Each turn, slot, strip and section of loads on its own; empty if one of them doesn't fit a bank.
std::vector<Atom> unrolled_code(const Block& block, const ComputeMachine& machine);

}  // namespace convscope::snowflake
