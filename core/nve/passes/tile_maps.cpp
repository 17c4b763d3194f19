#include "core/nve/passes/tile_maps.h"

namespace convscope::nve {

int tile_columns(int columns, int tiles) {
  return (columns + tiles - 1) / tiles;
}

MapGroup tiled(const MapGroup& group, int tiles) {
  MapGroup result;
  result.tiles = tiles;
  result.structure.inputs = group.structure.inputs * tiles;
  for (int tile = 0; tile < tiles; ++tile) {
    result.maps.insert(result.maps.end(), group.maps.begin(), group.maps.end());
    result.inputs.insert(result.inputs.end(), group.inputs.begin(), group.inputs.end());
    for (const auto& inputs : group.structure.maps) {
      auto& moved = result.structure.maps.emplace_back(inputs);
      for (int& input : moved) input += tile * group.structure.inputs;
    }
  }
  return result;
}

}  // namespace convscope::nve
