#pragma once
// The decisions about a layer. Source: "Compiling Deep Learning Models …", sections 5.1 (step 3), 6.2, 6.3.

#include <vector>

#include "core/snowflake/plan/blocks.h"

namespace convscope::snowflake {

/// Load units that LDs take in turn; empty: the least loaded.
struct UnitPatterns {
  std::vector<int> maps, kernels;
  bool operator==(const UnitPatterns&) const = default;
};

/// A convolution and the pool behind it, whose blocks take turns.
struct Interleaving {
  int first = 0, words = 0;  ///< the layer's part of the maps buffer, from a border of regions on; no words: all of it
  bool pool = false;         ///< it is the pool; the layer before it is the convolution
  bool operator==(const Interleaving&) const = default;
};

struct Mapping {
  bool independent = false;  ///< INDP: a MAC has a kernel of its own, else 16 MACs work on one (COOP)
  bool split = false;        ///< kernels are broadcast and each CU has its own rows, else maps are broadcast
  bool maps_loop = false;    ///< Mloop: maps are loaded for each kernel tile, else kernels for each map tile (Kloop)
  bool by_position = false;  ///< 1x1 with stride 1: rows don't matter, a tile is any number of positions
  int rows = 1;              ///< output rows of a map tile at most (`split`: of each CU); fewer where they don't fit
  int columns = 1;           ///< output columns of a map tile
  int channels = 0;          ///< pooling: channels of a map tile; 0: all
  int kernels_per_vmac = 1;  ///< of a kernel tile
  bool single = false;       ///< a kernel tile fills both banks
  bool ring = false;         ///< kernels lie behind each other in a ring of both banks; a tile is all that a vMAC has
  bool undivided = false;    ///< a map tile may fill the whole maps buffer; the next one waits until it is done with
  bool parts = false;        ///< kernels stream through the banks in parts, for one output of each after another
  TraceForm form = TraceForm::looped;
  int outputs_per_turn = 1;         ///< of the innermost loop, where an output has one trace
  bool trace_per_position = false;  ///< pooling: an instruction for each position, else for each row of positions
  int map_pieces = 1;               ///< LDs into which maps that lie in one piece are broken
  bool kernels_early = false;       ///< a layer's first kernels come right behind the rows of its first windows
  bool prefetch = false;            ///< its first loads come during the layer before, where there is room for them
  UnitPatterns units;
  Interleaving interleaving;
  bool operator==(const Mapping&) const = default;
};

}  // namespace convscope::snowflake
