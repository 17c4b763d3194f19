#include "core/cpu/run/double_reference.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/cancellation.h"

namespace convscope::cpu {
namespace {

// So many kernels side by side, and pixels that share what is loaded of them: the sums stay in the first cache.
constexpr int lanes = 16, pixels = 8;
using Sums = std::array<std::array<double, lanes>, pixels>;

class Reference {
 public:
  Reference(const Problem& problem, const float* image, const float* kernel, double* output)
      : p_(problem),
        image_(image),
        output_(output),
        blocks_((p_.group_kernels() + lanes - 1) / lanes),
        kernel_(sorted(kernel)) {}

  void row(int h) const {
    for (int group = 0; group < p_.groups; ++group)
      for (int block = 0; block < blocks_; ++block)
        for (int w = 0; w < p_.out_width(); w += pixels) tile(h, w, group, block);
  }

 private:
  std::size_t taps() const {
    return static_cast<std::size_t>(p_.kernel_height) * static_cast<std::size_t>(p_.kernel_width) *
           static_cast<std::size_t>(p_.group_channels());
  }
  const double* block_of(int group, int block) const {
    return kernel_.data() + static_cast<std::size_t>(group * blocks_ + block) * taps() * lanes;
  }

  /// [group][block of kernels][y][x][c][kernel in the block], filled up with zeros.
  std::vector<double> sorted(const float* kernel) const {
    std::vector<double> result(static_cast<std::size_t>(p_.groups * blocks_) * taps() * lanes);
    for (int m = 0; m < p_.kernels; ++m) {
      const int group = m / p_.group_kernels(), within = m % p_.group_kernels();
      const auto block = static_cast<std::size_t>(group * blocks_ + within / lanes);
      for (std::size_t tap = 0; tap < taps(); ++tap)
        result[(block * taps() + tap) * lanes + static_cast<std::size_t>(within % lanes)] =
            static_cast<double>(kernel[static_cast<std::size_t>(m) * taps() + tap]);
    }
    return result;
  }

  void tile(int h, int first, int group, int block) const {
    Sums sums{};
    const int count = std::min(pixels, p_.out_width() - first);
    for (int y = 0; y < p_.kernel_height; ++y) {
      const int row = h * p_.stride_height + y * p_.dilation_height - p_.pad_top;
      if (row < 0 || row >= p_.height) continue;
      for (int x = 0; x < p_.kernel_width; ++x) taps_of(row, x, first, count, group, weights(group, block, y, x), sums);
    }
    store(h, first, count, group, block, sums);
  }

  const double* weights(int group, int block, int y, int x) const {
    return block_of(group, block) + static_cast<std::ptrdiff_t>(y * p_.kernel_width + x) * p_.group_channels() * lanes;
  }

  void taps_of(int row, int x, int first, int count, int group, const double* weights, Sums& sums) const {
    for (int i = 0; i < count; ++i) {
      const int column = (first + i) * p_.stride_width + x * p_.dilation_width - p_.pad_left;
      if (column < 0 || column >= p_.width) continue;
      const float* values = image_ + (static_cast<std::ptrdiff_t>(row) * p_.width + column) * p_.channels +
                            static_cast<std::ptrdiff_t>(group) * p_.group_channels();
      std::array<double, lanes> sum = sums[static_cast<std::size_t>(i)];
      for (int c = 0; c < p_.group_channels(); ++c)
        for (std::size_t lane = 0; lane < lanes; ++lane)
          sum[lane] += static_cast<double>(values[c]) * weights[static_cast<std::size_t>(c) * lanes + lane];
      sums[static_cast<std::size_t>(i)] = sum;
    }
  }

  void store(int h, int first, int count, int group, int block, const Sums& sums) const {
    const int valid = std::min(lanes, p_.group_kernels() - block * lanes);
    for (int i = 0; i < count; ++i) {
      double* to = output_ + (static_cast<std::ptrdiff_t>(h) * p_.out_width() + first + i) * p_.kernels +
                   group * p_.group_kernels() + block * lanes;
      std::copy_n(sums[static_cast<std::size_t>(i)].begin(), valid, to);
    }
  }

  const Problem& p_;
  const float* image_;
  double* output_;
  const int blocks_;  ///< of the kernels of a group
  const std::vector<double> kernel_;
};

}  // namespace

void double_reference(const Problem& problem, const float* image, const float* kernel, double* output,
                      const std::stop_token& stop) {
  const Reference reference(problem, image, kernel, output);
  for (int h = 0; h < problem.out_height(); ++h) {
    throw_if_stopped(stop);
    reference.row(h);
  }
}

}  // namespace convscope::cpu
