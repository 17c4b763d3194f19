#pragma once
// Loops of known work, written in assembly so that no compiler's option changes them: multiply-adds from registers, and
// reading memory.

#include <cstddef>
#include <cstdint>

#include "core/cpu/architecture/family.h"

namespace convscope::cpu {

/// Runs about `microseconds` of independent multiply-adds on the family's widest vectors. Returns FLOP/s.
double multiply_add_rate(Family family, double microseconds);

/// Runs about `microseconds` of additions that wait for each other, one a cycle. Returns additions/s: the clock.
double addition_rate(double microseconds);

/// Of what `read_rate` reads, in bytes.
inline constexpr std::size_t read_alignment = 64;

/// Reads `bytes` (a multiple of 1024) from `data`, which `read_alignment` divides, again and again for at least
/// `seconds`, a vector at a time. Returns bytes/s of the best megabyte: others who use the machine hold back most of
/// them.
double read_rate(Family family, const std::byte* data, std::size_t bytes, double seconds);

}  // namespace convscope::cpu
