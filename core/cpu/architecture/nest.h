#pragma once
// A program's loop nest as plain numbers: all that the estimate looks at. Made from a path without building any syntax
// tree, so that thousands of paths can be ranked.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/layout.h"

namespace convscope::cpu {

struct NestLoop {
  char dimension = 0;      ///< H W M of the output, Y X of the kernel, C of a group's channels, G of groups
  std::int64_t trips = 1;  ///< clean-up included
  std::int64_t step = 1;   ///< of the dimension, from one iteration to the next; the tile's extent for a macro loop
};

/// What one execution of the innermost body issues, as instructions of vectors.
struct BodyCounts {
  double fmas = 0;           ///< of `lanes` lanes
  double image_loads = 0;    ///< broadcasts from memory and operands embedded in an FMA are loads
  double kernel_loads = 0;   ///< likewise
  double output_loads = 0;   ///< of a body that doesn't keep its sums in registers
  double output_stores = 0;  ///< likewise
  double others = 0;         ///< what takes an issue slot and no load port: permutations, blends, address steps, branch
};

struct Nest {
  Family family = Family::scalar;
  int lanes = 1;                ///< floats of the vectors in use
  std::vector<NestLoop> loops;  ///< outermost first, down to the innermost body; unrolled ones too, blocked ones twice
  Extents tile;                 ///< elements of a dimension that one body covers: W 14, M 32; 1 if it isn't there
  std::size_t sums_from = 0;    ///< loops from here inwards run with the tile's sums in registers
  double bodies = 1;            ///< executions of the body in the whole program: peeled taps aren't among them
  BodyCounts body;
  int chains = 1;     ///< FMAs of a body that don't wait for one another: its accumulators
  int registers = 1;  ///< vector registers that the body wants; those beyond the family's are spilled
  double tile_loads = 0, tile_stores = 0, tile_others = 0;  ///< instructions each time sums are begun or written back
  Layout image{"HWC"}, kernel{"MYXC"}, output{"HWM"};
  bool streaming = false;         ///< outputs are stored past the caches
  std::int64_t copied_bytes = 0;  ///< that explicit buffers are filled with, all in all
  std::int64_t temporary_bytes = 0;
  int threads = 1;
};

}  // namespace convscope::cpu
