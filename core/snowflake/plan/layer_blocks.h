#pragma once
// A layer as blocks in the order of its loops, with the loads of what comes next.
// Source: "Compiling Deep Learning Models …", section 5.1, steps 4 and 5.

#include <string>
#include <vector>

#include "core/snowflake/plan/layer_shape.h"

namespace convscope::snowflake {

/// Words of a buffer.
struct BufferSpan {
  int first = 0, words = 0;
};

/// Where a layer's first tiles go, if its mapping leaves a choice.
struct LayerStart {
  int maps_slot = 0, kernel_bank = 0;
};

/// What a layer's last blocks leave alone.
struct LayerEnd {
  std::size_t last_tile = 0;                        ///< the first of the blocks that compute the last map tile
  std::vector<BufferSpan> maps;                     ///< that these read
  int free_kernel_bank = -1;                        ///< that the last turn of the last block doesn't read; -1: none
  std::int64_t first_output = 0, output_words = 0;  ///< DRAM words among which these blocks write
};

struct LayerBlocks {
  std::string refused;  ///< why this mapping can't be: what, limit, what to do; else empty
  FirstLoads first;     ///< maps and kernels that the first block needs
  std::vector<Block> blocks;
  int map_tiles = 0, kernel_tiles = 0;
  LayerEnd end;
};

LayerBlocks layer_blocks(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                         const LayerStart& start = {});

}  // namespace convscope::snowflake
