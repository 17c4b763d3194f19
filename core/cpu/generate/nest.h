#pragma once
// The nest of a path as plain data: what estimates are made from. Cheap: no tree is built.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// A loop; register tiles are the innermost "loops".
struct NestLoop {
  enum class Place { outside, microkernel, tile };
  std::string variable;    ///< "ho"
  char dimension = 0;      ///< G M H W Y X C; rows and columns of the output
  std::int64_t trips = 0;  ///< of W and M, whose last tiles may be smaller: rounded up
  std::int64_t step = 0;   ///< indices of the dimension that one iteration goes on by
  Place place = Place::outside;
};

/// What one iteration of the innermost loop issues.
struct NestBody {
  int fmas = 0;
  int loads = 0;       ///< of vectors
  int broadcasts = 0;  ///< loads of one element for all lanes, those inside an FMA included
  int stores = 0;
  int others = 0;         ///< shuffles, additions across lanes
  int chains = 0;         ///< sums that don't wait for each other
  int registers = 0;      ///< that are alive at once
  int weights = 0;        ///< of the loads, those of weights
  double prefetches = 0;  ///< lines asked for ahead, on average over what is unrolled
};

/// What stands around the products of a Winograd path, in the whole program.
struct NestTransforms {
  double products = 0;  ///< times that the nest is run: positions, for each block of tiles; 0: no transforms
  double blocks = 0;
  int shared = 1;                             ///< iterations of the loop over positions that threads divide among them
  double fmas = 0, loads = 0, stores = 0;     ///< of vectors: multiply-adds, additions and the like; memory
  double image_loads = 0, output_stores = 0;  ///< among them those that convert what is stored as flyte
  double image_bytes = 0;                     ///< of the image
  double output_bytes = 0;
  std::int64_t kernel_bytes = 0;  ///< of transformed kernels
  std::int64_t block_bytes = 0;   ///< of a block's transformed inputs and products
};

/// The copy of the image that is read in its place.
struct NestBuffer {
  std::int64_t bytes = 0;  ///< 0: there is none
  double fills = 1;        ///< times that it is filled: blocks of rows
  int rows = 0, columns = 0;
};

/// `problem` is the one that is computed: for a 1x1 kernel H and W may have become one row; for Winograd paths the
/// product of a block of tiles at one position.
struct Nest {
  Problem problem;
  Family family = Family::scalar;
  std::string microkernel, operand;
  Layout image, kernel, output;
  int pixels = 1, vectors = 1;  ///< of the register tile
  int lanes = 1;
  std::vector<NestLoop> loops;  ///< outermost first
  NestBody body;
  double iterations = 0;     ///< of the innermost loop in the whole program
  double fma_lanes = 0;      ///< lanes of all FMAs that are issued; the problem needs valid_macs of them
  double calls = 0;          ///< of the microkernel
  bool accumulates = false;  ///< each call loads and stores its part of the output, which is cleared before
  bool streaming = false;
  int prefetch = 0;              ///< bytes; 0: none
  bool prefetches_next = false;  ///< the weights of calls to come
  int threads = 1;
  double largest_share = 1;          ///< of the outputs, those of the thread that computes most; without transforms
  std::int64_t temporary_bytes = 0;  ///< of all threads
  NestBuffer buffer;
  NestTransforms transforms;
};

/// Nothing, with a diagnostic, if the path isn't one of the problem or isn't complete.
std::optional<Nest> describe(const Problem& problem, const Path& path, Diagnostics& diagnostics);

}  // namespace convscope::cpu
