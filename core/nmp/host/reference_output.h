#pragma once
// What a layer's output must be, from DRAM alone: of how a program goes about it, only the channels are known that are
// added up before a partial sum is rounded.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/nmp/architecture/program.h"

namespace convscope::nmp {

/// An element of 1, 2 or 4 bytes, signed, lower byte first.
std::int32_t read_element(std::span<const std::uint8_t> dram, std::int64_t byte, int bytes);
void write_element(std::span<std::uint8_t> dram, std::int64_t byte, int bytes, std::int32_t value);

/// [map][row][column] of the layer's output. `dram` holds its inputs and weights. Throws Cancelled.
/// A sum begins with the bias and the residual, if there is one, times 2^residual_shift, or with the partial sum before
/// it times 2^(shift - guard); it ends as partial sum, (sum
/// + half) >> (shift - guard), or as result, (sum + half) >> shift, each saturated at its width; results are clamped.
std::vector<std::int32_t> reference_output(const ProgramLayer& layer, std::span<const std::uint8_t> dram,
                                           const std::stop_token& stop = {});

}  // namespace convscope::nmp
