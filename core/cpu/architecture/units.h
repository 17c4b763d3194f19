#pragma once
// Factors between what is counted and what is shown.

namespace convscope::cpu {

inline constexpr double kibi = 1024, mega = 1e6, giga = 1e9, pico = 1e-12;
inline constexpr double operations_per_mac = 2;
inline constexpr double float_bytes = 4;

}  // namespace convscope::cpu
