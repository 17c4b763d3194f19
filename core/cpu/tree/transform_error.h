#pragma once
// How far results of a transform are off: what a path is told beforehand, before any program of it is measured.

#include <string>

#include "core/cpu/architecture/accuracy.h"

namespace convscope::cpu {

/// Root mean square of the errors of the output of a tile that errs most, over rms(y), and |e| / |y|.
struct TrialError {
  double worst = 0, l2 = 0;
};

/// Of 64 channels, in one chain and in chains of 16.
struct TransformError {
  TrialError one_chain, short_chains;
};

/// Of F(m, r) in single precision with fused multiply-adds against double: measured on seeded uniform tiles; kernels
/// transformed in double. In two dimensions, or along one and summed over as
/// many rows. Infinite if these aren't points. Computed once for each, then shared.
TransformError transform_error(int m, int r, const std::string& points, bool two_dimensional);

/// How channels are summed: `chain` products one after the other, and then the sums of the chains.
struct ChannelSums {
  double channels = 1, chain = 1;
  /// Chains that err least: a sum of n terms errs as the square root of n, so as long as there are chains.
  static ChannelSums best(double channels);
};

/// What a program with these errors is expected to err by a metric, with so many outputs at each place of a tile. A
/// model: errors are normally distributed, so the largest of n is about sqrt(2 ln n) of their root mean square. Their
/// square is that of the transforms, which no way of summing changes, and that of the sums, which grows with the length
/// of a chain and the number of chains; the two trials tell both.
double expected_error(const TransformError& error, ErrorMetric metric, double outputs, const ChannelSums& sums);

}  // namespace convscope::cpu
