#pragma once
// The code of a crossing by semaphores, the same for all TLTs, and the words of a TLE's leader that it reads.

#include <array>
#include <cstdint>
#include <vector>

#include "core/nmp/architecture/program.h"
#include "core/nmp/link/layer_order.h"

namespace convscope::nmp {

inline constexpr int crossing_words = 4;  ///< in the data RAM

/// Of a TLE's leader.
std::array<std::uint32_t, crossing_words> leader_words(const Crossing::OfTle& tle);

/// The code of crossing `number`, by which its semaphores are chosen; `first_byte`: of the words in the data RAM. It
/// changes x22 to x26.
std::vector<EncodedInstruction> crossing_code(const Machine& machine, int number, int first_byte);

}  // namespace convscope::nmp
