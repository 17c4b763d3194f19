#pragma once
// Blocks as instructions. Source: "Compiling Deep Learning Models …", section 5.2 and figure 3.

#include <string>
#include <vector>

#include "core/snowflake/architecture/machine.h"
#include "core/snowflake/code/instructions.h"
#include "core/snowflake/plan/blocks.h"

namespace convscope::snowflake {

/// Code that must lie in one instruction bank: its branches stay within it. Registers live on from atom to atom except
/// the scratch registers.
struct Atom {
  std::vector<Instruction> list;
  std::vector<CodeRange> ranges;  ///< from the atom's start
};

/// Instructions of a bank that atoms may take: the rest loads the next bank and jumps there.
int atom_limit(const ComputeMachine& machine);

std::vector<Atom> first_loads_code(const FirstLoads& loads, const ComputeMachine& machine);

/// The kernel loop as one atom if it fits, else turn by turn, strip by strip, down to single columns of rows. Empty if
/// a single output's traces don't fit a bank.
std::vector<Atom> block_code(const Block& block, const ComputeMachine& machine);

}  // namespace convscope::snowflake
