#pragma once
// Greedy feature map fusion (thesis, section 5.3, Algorithm 2).

#include <functional>
#include <string>
#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// Output maps that one program computes, with the structure that follows from their inputs.
struct MapGroup {
  std::vector<int> maps;    ///< output maps, in the order of their bodies
  std::vector<int> inputs;  ///< input maps by position, in the order of their first use
  Structure structure;
  int tiles = 1;  ///< parts of the columns, each with bodies and inputs of its own: see tile_maps.h

  int tile_of_map(int position) const { return position * tiles / static_cast<int>(maps.size()); }
  int tile_of_input(int position) const { return position * tiles / static_cast<int>(inputs.size()); }
};

/// The group of some output maps of a connection table.
MapGroup make_group(const std::vector<std::vector<int>>& connections, const std::vector<int>& maps);

/// Size of a group's program in instructions; INT_MAX if it doesn't fit the machine.
using GroupSize = std::function<int(const MapGroup&)>;

/// Algorithm 2: starts with the largest program and keeps combining it with the one whose inputs differ least (of
/// equals, the one that shares most) until the program no longer fits; then starts anew. Greedy: not optimal.
/// Maps that alone don't fit come out as groups of one.
/// Unlike the printed algorithm, maps without a shared input are not combined: nothing is reused then (section 7.2.4).
std::vector<MapGroup> fuse_maps(const std::vector<std::vector<int>>& connections, const GroupSize& size);

/// One group per map.
std::vector<MapGroup> single_maps(const std::vector<std::vector<int>>& connections);

}  // namespace convscope::nve
