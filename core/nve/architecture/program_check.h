#pragma once
// What a file must keep so that its program can be shown, verified and simulated at all. Whether the program is right
// is the verifier's business. Layers beyond these sizes have no programs.

#include <cstdint>

#include "core/base/diagnostic.h"
#include "core/nve/architecture/program.h"

namespace convscope::nve {

inline constexpr int largest_size = 1 << 20;  ///< of maps, columns, iterations, inputs
inline constexpr int largest_kernel = 1024;   ///< rows, columns and dilation of a kernel
inline constexpr int largest_stride = 64;
inline constexpr int largest_units = 1024;                  ///< of a pass
inline constexpr std::int64_t longest_iteration = 1 << 22;  ///< cycles, with an inner loop
inline constexpr std::size_t largest_text = 16 << 20;       ///< bytes of a program in either form

/// Sizes, positions and traffic are in range and agree with each other, and all words decode. True if so.
bool check_program(const Program& program, const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::nve
