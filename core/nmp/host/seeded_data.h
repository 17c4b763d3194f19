#pragma once
// Inputs and weights drawn at random, as they lie in DRAM.

#include <cstdint>
#include <vector>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// DRAM before the run: inputs and weights full scale (reference::seeded_word, streams `seed` for inputs and the one's
/// complement of it for weights, the next seed for residuals, indices as elements lie; of the same layer
/// of a batch's next image they go on), all else zero.
std::vector<std::uint8_t> seeded_dram(const Program& program, std::uint64_t seed);

}  // namespace convscope::nmp
