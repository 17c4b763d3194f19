#pragma once
// How far results of a transform are off, tried on few channels.

#include <string>
#include <vector>

#include "core/flyte/flyte.h"

namespace convscope::cpu {

/// Root mean square of the errors of the output of a tile that errs most, over rms(y), and |e| / |y|.
struct TrialError {
  double worst = 0, l2 = 0;
};

inline constexpr int trial_channels = 64, trial_chain = 16;

/// Of `trial_channels`, in one chain and in chains of `trial_chain`.
struct TransformError {
  TrialError one_chain, short_chains;
  std::vector<double> shares;  ///< of the positions in the variance of the output that errs most; their sum is 1
};

/// Of F(m, r) in single precision with fused multiply-adds against double: measured on seeded uniform tiles; kernels
/// transformed in double and rounded to what they are stored in. In two dimensions, or along one and summed over as
/// many rows. Infinite if these aren't points. Computed once for each, then shared.
TransformError transform_error(int m, int r, const std::string& points, bool two_dimensional,
                               const flyte::Storage& kernels = {});

}  // namespace convscope::cpu
