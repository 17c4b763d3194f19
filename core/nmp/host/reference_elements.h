#pragma once
// What pools, pairs and activations must give, from DRAM alone.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// [map][row][column] of the output of a layer that is no sum of products. `dram` holds its operands. Throws Cancelled.
/// An average is sum * floor((2^31 + floor(n / 2)) / n), 31 bits rounded off, where n counts taps, or those inside; a
/// window without inputs gives 0. Products lose `shift` bits, negative numbers times a slope 15. All is saturated, then
/// clamped.
std::vector<std::int32_t> reference_elements(const ProgramLayer& layer, std::span<const std::uint8_t> dram,
                                             const std::stop_token& stop = {});

}  // namespace convscope::nmp
