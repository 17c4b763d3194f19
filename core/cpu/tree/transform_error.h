#pragma once
// How far results of a transform are off: what a path is told beforehand, before any program of it is measured.

#include <string>

#include "core/cpu/architecture/accuracy.h"

namespace convscope::cpu {

struct TransformError {
  /// Root mean square of the errors of the output of a tile that errs most, over rms(y), and |e| / |y|.
  double worst = 0, l2 = 0;
};

/// Of F(m, r) in single precision with fused multiply-adds against double: measured on seeded uniform tiles of 64
/// channels, summed in one chain; kernels transformed in double. In two dimensions, or along one and summed over as
/// many rows. Infinite if these aren't points. Computed once for each, then shared.
TransformError transform_error(int m, int r, const std::string& points, bool two_dimensional);

/// What a program with these errors is expected to err by a metric, with so many outputs at each place of a tile and
/// sums over chains of so many channels. A model: errors are normally distributed, so the largest of n is about sqrt(2
/// ln n) of their root mean square; they grow as the square root of a chain that is longer than 64.
double expected_error(const TransformError& error, ErrorMetric metric, double outputs, int chain);

}  // namespace convscope::cpu
