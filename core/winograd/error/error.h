#pragma once
// How far float32 is off: measured on seeded uniform data against double, not bounded by theory.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/winograd/matrices/transform.h"

namespace convscope::winograd {

/// What is convolved: `tiles` tiles of inputs with `channels` channels, `kernels` kernels, all of numbers uniform in
/// [-1, 1]. Products are summed over channels in chains of `chain` fused multiplications, whose sums are then added; 0
/// is one chain over all.
struct ErrorSetup {
  int channels = 64;
  int kernels = 16;
  int tiles = 64;
  int chain = 0;
  std::uint64_t seed = 1;
  bool operator==(const ErrorSetup&) const = default;
};

/// e is what is computed less what is right, y what is right, over all outputs.
struct MeasuredError {
  double l2 = 0;       ///< |e| / |y|
  double largest = 0;  ///< max |e| / rms(y)
};

/// Data of one setup with the right outputs, on which points are compared: the same seed gives the same data on every
/// host. Two dimensions, m x m outputs of r x r weights.
class ErrorTrial {
 public:
  ErrorTrial(int m, int r, const ErrorSetup& setup);

  /// The nested programs of the transform in float32 (fused as they say), kernels transformed in double and rounded
  /// once. The transform's m and r are the trial's. Throws Cancelled if stopped.
  MeasuredError of(const Transform& transform, const std::stop_token& stop) const;
  /// Direct convolution: sums over rows, columns and channels of the kernel in that order.
  MeasuredError of_direct(const std::stop_token& stop) const;

 private:
  MeasuredError compare(const std::vector<float>& outputs) const;

  int m_, r_, n_;
  ErrorSetup setup_;
  std::vector<float> images_;   ///< [tile][n n][channel]
  std::vector<float> kernels_;  ///< [r r][channel][kernel]
  std::vector<double> right_;   ///< [tile][m m][kernel]
};

}  // namespace convscope::winograd
