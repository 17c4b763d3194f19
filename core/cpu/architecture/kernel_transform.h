#pragma once
// What is made of a kernel's taps ahead of time, once for all runs: Winograd's G g G^T.

#include <cstdint>
#include <vector>

#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu {

/// U = rows * g * columns^T for each pair of an M and a C, in double precision, rounded once. A matrix without rows
/// leaves its dimension as it is.
struct KernelTransform {
  using Matrix = std::vector<std::vector<double>>;  ///< [position][tap]

  Matrix rows, columns;
  /// How many times further than a plain sum's an output's rounding errors may reach; 1 without a transform.
  double error_growth = 1;

  bool operator==(const KernelTransform&) const = default;
  bool none() const { return rows.empty() && columns.empty(); }
  /// M Y X C, with as many positions as the matrices have rows in the places of taps.
  Extents extents(const Problem& problem) const;
};

/// `kernel` in the order M Y X C; so is the result, with the extents above.
std::vector<float> transformed(const KernelTransform& transform, const Problem& problem, const float* kernel);

}  // namespace convscope::cpu
