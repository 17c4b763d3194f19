#pragma once
// Biases of programs whose layer has no values of its own.

#include <cstdint>
#include <vector>

#include "core/nmp/cost/convolution.h"
#include "core/nmp/generate/number_format.h"

namespace convscope::nmp {

/// Of all output maps, always the same: up to half of the output's range, with all their fraction bits in use.
std::vector<std::int32_t> seeded_biases(const Convolution& convolution, const NumberFormat& format, int element_bytes);

}  // namespace convscope::nmp
