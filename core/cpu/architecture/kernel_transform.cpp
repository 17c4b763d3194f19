#include "core/cpu/architecture/kernel_transform.h"

#include <cstddef>

namespace convscope::cpu {
namespace {

using Matrix = KernelTransform::Matrix;

int positions(const Matrix& matrix, int taps) {
  return matrix.empty() ? taps : static_cast<int>(matrix.size());
}

/// 1 on the diagonal in the place of a matrix that isn't there.
double factor(const Matrix& matrix, int position, int tap) {
  if (matrix.empty()) return position == tap ? 1 : 0;
  return matrix[static_cast<std::size_t>(position)][static_cast<std::size_t>(tap)];
}

}  // namespace

Extents KernelTransform::extents(const Problem& problem) const {
  return {{{'M', problem.kernels},
           {'Y', positions(rows, problem.kernel_height)},
           {'X', positions(columns, problem.kernel_width)},
           {'C', problem.group_channels()}}};
}

std::vector<float> transformed(const KernelTransform& transform, const Problem& p, const float* kernel) {
  const Extents extents = transform.extents(p);
  const int channels = p.group_channels(), n_y = extents.at('Y'), n_x = extents.at('X');
  std::vector<float> result;
  std::vector<double> sums(static_cast<std::size_t>(channels));
  for (int m = 0; m < p.kernels; ++m)
    for (int i = 0; i < n_y; ++i)
      for (int j = 0; j < n_x; ++j) {
        sums.assign(sums.size(), 0);
        const float* tap = kernel + std::int64_t{m} * p.kernel_height * p.kernel_width * channels;
        for (int y = 0; y < p.kernel_height; ++y)
          for (int x = 0; x < p.kernel_width; ++x, tap += channels) {
            const double both = factor(transform.rows, i, y) * factor(transform.columns, j, x);
            for (std::size_t c = 0; c < sums.size() && both != 0; ++c) sums[c] += both * static_cast<double>(tap[c]);
          }
        for (const double sum : sums) result.push_back(static_cast<float>(sum));
      }
  return result;
}

}  // namespace convscope::cpu
