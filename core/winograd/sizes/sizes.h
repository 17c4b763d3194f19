#pragma once
// What Winograd convolution keeps and multiplies: "Automatic Program Generation for Convolutional Neural Networks on
// Resource Constrained Devices", sections 6.5 and 6.12.7, for whole tensors.

#include <cstdint>

namespace convscope::winograd {

/// A convolution of stride 1 whose output is as large as its input: H x W x C -> H x W x M, kernels K x K.
struct ConvolutionSize {
  std::int64_t height = 0, width = 0, channels = 0, kernels = 0, kernel_size = 0;
};

/// Numbers in the Winograd domain, and multiplications of them.
struct WinogradSize {
  std::int64_t kernel = 0;           ///< transformed kernels
  std::int64_t tiles = 0;            ///< transformed inputs
  std::int64_t products = 0;         ///< sums before the output's transform
  std::int64_t multiplications = 0;  ///< of one channel and one kernel, as Table 6.2 counts
};

/// n = m + K - 1: n² C M, and ceil(H/m) ceil(W/m) n² times C, times M and alone.
WinogradSize two_dimensional(const ConvolutionSize& size, int m);
/// Sum of one-dimensional convolutions of rows: n K C M, and (H + K - 1) ceil(W/m) n C with the rows above and below,
/// H ceil(W/m) n M, H ceil(W/m) K n. (The thesis's tables leave the K - 1 rows out.)
WinogradSize sum_of_one_dimensional(const ConvolutionSize& size, int m);
/// H W K².
std::int64_t direct_multiplications(const ConvolutionSize& size);
/// The patch matrix: H W C K².
std::int64_t im2col_size(const ConvolutionSize& size);

}  // namespace convscope::winograd
