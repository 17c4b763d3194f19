#pragma once
// The copy of the image that a path's microkernel reads in its place: with padding around it, converted from what it is
// stored in. Of the whole image, or of a block of its rows at a time, which all kernels use.

#include <cstdint>
#include <optional>

#include "core/cpu/architecture/layout.h"
#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// What one iteration of the outermost loop takes: rows of outputs, or, where there is but one row, columns.
struct RowBlock {
  char dimension = 'H';
  int outputs = 1;         ///< at most
  std::int64_t count = 1;  ///< blocks
};
/// Nothing if the outermost loop is over something else. Precondition: all loops have their places.
std::optional<RowBlock> row_block(const Plan& plan);

/// Whether the path's padding is such a copy.
constexpr bool is_buffer(Padding padding) {
  return padding == Padding::buffer || padding == Padding::rows;
}

/// Threads that each have a buffer of their own.
inline int buffer_threads(const Plan& plan) {
  return plan.padding == Padding::rows ? plan.threads : 1;
}

/// Pixels of the padded image along a dimension that so many outputs side by side take.
int pixels_of(const Problem& problem, char dimension, int outputs);
/// Of the buffer, with what vectors along W reach beyond the last pixel. Precondition: the padding is one; of rows,
/// that the outermost loop is over them.
Extents padded_extents(const Plan& plan);

}  // namespace convscope::cpu
