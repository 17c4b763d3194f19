#pragma once
// How many bytes a loop nest moves between two levels of memory, from the footprints of its loops.

#include <cstdint>
#include <vector>

#include "core/cpu/generate/nest.h"

namespace convscope::cpu {

/// Bytes that a tensor's elements take, in whole cache lines.
struct Footprint {
  double image = 0, kernel = 0, output = 0;
  double all() const { return image + kernel + output; }
};

/// What is touched by one iteration of everything outside of each loop: `at[d]` is what loops d and inwards touch,
/// `at[loops]` the body alone.
std::vector<Footprint> footprints(const Nest& nest);

/// Bytes that come into a memory of `capacity` bytes from the one behind it, and go back. The outermost loops whose
/// footprint fits keep their data there; a loop around them brings again what it doesn't share with its iteration
/// before. Nothing if the whole convolution fits: data are there from before, as where one is run again and again.
/// Outputs count twice, as a line is read before it is written, unless they are streamed. A model, not a bound:
/// associativity and prefetching aren't in it.
double traffic(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity);

/// Of these, outputs that are written around the memory; 0 unless they are streamed.
double streamed(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity);

/// The same as `traffic` for a Winograd path, whose nest is the product of a block of tiles at one position: what the
/// products move, with each block all transformed kernels where they don't stay, and its transformed inputs and
/// products where those don't; image and output once where not everything stays.
double block_traffic(const Nest& nest, const std::vector<Footprint>& at, std::int64_t capacity);

}  // namespace convscope::cpu
