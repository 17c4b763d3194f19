#include "core/winograd/sizes/sizes.h"

namespace convscope::winograd {
namespace {

std::int64_t ceiling(std::int64_t value, std::int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

}  // namespace

WinogradSize two_dimensional(const ConvolutionSize& size, int m) {
  const std::int64_t n = m + size.kernel_size - 1;
  const std::int64_t numbers = ceiling(size.height, m) * ceiling(size.width, m) * n * n;
  return {n * n * size.channels * size.kernels, numbers * size.channels, numbers * size.kernels, numbers};
}

WinogradSize sum_of_one_dimensional(const ConvolutionSize& size, int m) {
  const std::int64_t n = m + size.kernel_size - 1;
  const std::int64_t row = ceiling(size.width, m) * n;
  return {n * size.kernel_size * size.channels * size.kernels,
          (size.height + size.kernel_size - 1) * row * size.channels, size.height * row * size.kernels,
          size.height * row * size.kernel_size};
}

std::int64_t direct_multiplications(const ConvolutionSize& size) {
  return size.height * size.width * size.kernel_size * size.kernel_size;
}

std::int64_t im2col_size(const ConvolutionSize& size) {
  return direct_multiplications(size) * size.channels;
}

}  // namespace convscope::winograd
