#pragma once
// The static allocation of registers. "Register assignment is statically defined to avoid unnecessary register saving
// instructions" ("Compiling Deep Learning Models …", section 5.2).

#include <array>

namespace convscope::snowflake::reg {

inline constexpr int zero = 0;
inline constexpr int out = 1;           ///< output word of the next write-back
inline constexpr int maps = 2;          ///< looped traces: running maps word
inline constexpr int kernels = 3;       ///< looped traces: running kernel word
inline constexpr int x = 4, y = 5;      ///< counters of outputs in a row, and of rows
inline constexpr int trace = 6;         ///< counter of traces
inline constexpr int tile = 7;          ///< counter of kernel tiles
inline constexpr int slot = 8;          ///< counter of kernels in a tile
inline constexpr int slot_kernels = 9;  ///< first word of the running slot's kernel
inline constexpr int row = 10;          ///< maps word of the running row of outputs
inline constexpr int bank = 11;         ///< first word of the running kernel tile
inline constexpr int bias = 12;
inline constexpr int slot_out = 13;     ///< output word of the tile's first output for the running slot
inline constexpr int slot_maps = 14;    ///< maps word of the map tile for the running slot
inline constexpr int slot_bypass = 15;  ///< the same of the bypass
inline constexpr int bypass = 16;
inline constexpr std::array<int, 4> kernel_load{17, 18, 19, 20};  ///< DRAM words of the next kernels to load

/// Free within a window or a section of loads, each of which sets them anew.
inline constexpr std::array<int, 11> scratch{2, 3, 6, 21, 22, 23, 24, 25, 29, 30, 31};

}  // namespace convscope::snowflake::reg
