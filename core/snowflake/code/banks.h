#pragma once
// Atoms packed into instruction banks, each of which loads the next one and ends with the jump there.
// Source: "Compiling Deep Learning Models …", section 5.2.

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/code/block_code.h"

namespace convscope::snowflake {

struct Banks {
  std::vector<EncodedInstruction> code;
  std::vector<CodeBlock> blocks;
  std::vector<CodeRange> ranges;
};

/// An atom and whose it is.
struct PlacedAtom {
  Atom atom;
  int layer = 0, tile = 0;
};

/// `dram_word`: where the first block lies; the others follow. Each atom fits (atom_limit).
Banks pack(const std::vector<PlacedAtom>& atoms, const ComputeMachine& machine, std::int64_t dram_word);

}  // namespace convscope::snowflake
