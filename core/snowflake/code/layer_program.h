#pragma once
// Layers as code, and code as a program.

#include <string>
#include <vector>

#include "core/snowflake/code/banks.h"
#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

/// Atoms of a layer with their map tiles; empty if an output's traces don't fit an instruction bank.
std::vector<PlacedAtom> layer_code(const LayerBlocks& blocks, const ComputeMachine& machine, int layer);

/// A layer with all that its code is made from.
struct PlannedLayer {
  ProgramLayer layer;
  Mapping mapping;
  std::string refused;  ///< then nothing else counts
};

/// Layers one after another, cold: each loads what it needs when it starts; loads wait for the stores of the layers
/// before. Regions have their places and say between which of the layers they are alive; that of instructions comes
/// behind them all. Layers that are refused are left out, the reasons come back in them, and the program's regions
/// count without them.
Program make_program(const std::string& name, const Machine& machine, std::vector<Region> regions,
                     std::vector<PlannedLayer>& layers);

/// Places regions one behind the other, each on a boundary of 64 words; returns the words of all.
std::int64_t place_in_order(std::vector<Region>& regions);

}  // namespace convscope::snowflake
