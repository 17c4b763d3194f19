#pragma once
// What a path is told of its errors beforehand, before any program of it is measured.

#include "core/cpu/architecture/accuracy.h"
#include "core/cpu/tree/transform_error.h"

namespace convscope::cpu {

/// How channels are summed: `chain` products one after the other, and then the sums of the chains.
struct ChannelSums {
  double channels = 1, chain = 1;
  /// Chains that err least: a sum of n terms errs as the square root of n, so as long as there are chains.
  static ChannelSums best(double channels);
};

/// What a program with these errors is expected to err by a metric, with so many outputs at each place of a tile. A
/// model: the square of errors is that of the transforms, which no way of summing changes, and that of the sums, which
/// grows with the length of a chain and the number of chains; the two trials tell both. The largest of n is where
/// Chernoff's bound on the probability is 1 / n. Errors of transforms are normal; those of a chain are as large as its
/// sums happen to be on the way, a random walk, so that one long chain errs far beyond its mean more often than many
/// short ones do; and all errors grow with what is summed, which varies the more the fewer channels there are.
double expected_error(const TransformError& error, ErrorMetric metric, double outputs, const ChannelSums& sums);

}  // namespace convscope::cpu
