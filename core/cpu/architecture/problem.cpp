#include "core/cpu/architecture/problem.h"

#include <algorithm>

namespace convscope::cpu {
namespace {

int out(int in, int before, int after, int kernel, int dilation, int stride) {
  return (in + before + after - ((kernel - 1) * dilation + 1)) / stride + 1;
}

/// First output index whose position, `step` apart and beginning at `first`, is not below `from`.
std::int64_t first_at(std::int64_t from, std::int64_t first, int step) {
  return first >= from ? 0 : (from - first + step - 1) / step;
}

/// Pairs of output index and tap of one dimension that touch an element.
std::int64_t valid_taps(int outputs, int taps, int inputs, int stride, int dilation, int before) {
  std::int64_t valid = 0;
  for (int t = 0; t < taps; ++t) {
    const std::int64_t first = std::int64_t{t} * dilation - before;
    valid += std::max<std::int64_t>(
        0, std::min<std::int64_t>(outputs, first_at(inputs, first, stride)) - first_at(0, first, stride));
  }
  return valid;
}

}  // namespace

int Problem::out_height() const {
  return out(height, pad_top, pad_bottom, kernel_height, dilation_height, stride_height);
}

int Problem::out_width() const {
  return out(width, pad_left, pad_right, kernel_width, dilation_width, stride_width);
}

Extents Problem::image() const {
  return {{{'H', height}, {'W', width}, {'C', channels}}};
}

Extents Problem::kernel() const {
  return {{{'M', kernels}, {'Y', kernel_height}, {'X', kernel_width}, {'C', group_channels()}}};
}

Extents Problem::output() const {
  return {{{'H', out_height()}, {'W', out_width()}, {'M', kernels}}};
}

std::int64_t valid_rows(const Problem& p) {
  return valid_taps(p.out_height(), p.kernel_height, p.height, p.stride_height, p.dilation_height, p.pad_top);
}

std::int64_t valid_columns(const Problem& p) {
  return valid_taps(p.out_width(), p.kernel_width, p.width, p.stride_width, p.dilation_width, p.pad_left);
}

std::int64_t valid_macs(const Problem& p) {
  return valid_rows(p) * valid_columns(p) * p.kernels * p.group_channels();
}

}  // namespace convscope::cpu
