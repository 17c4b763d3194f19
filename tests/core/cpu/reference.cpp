#include "tests/core/cpu/reference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <random>
#include <span>

#include "core/flyte/flyte.h"

namespace convscope::cpu {
namespace {

std::size_t elements_of(const Extents& extents) {
  std::size_t product = 1;
  for (const auto& [dimension, extent] : extents.of) product *= static_cast<std::size_t>(extent);
  return product;
}

/// Calls for each element, with its index and its dense position.
void each(const Extents& extents, const std::function<void(const std::vector<int>&, std::size_t)>& action) {
  std::vector<int> index(extents.of.size(), 0);
  for (std::size_t dense = 0; dense < elements_of(extents); ++dense) {
    action(index, dense);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < extents.of[d].second) break;
      index[d] = 0;
    }
  }
}

std::vector<float> random_values(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> list(count);
  for (float& value : list) value = values(random);
  return list;
}

double one_output(const Reference& r, int h, int w, int m) {
  const Problem& p = r.problem;
  const int channels = p.group_channels(), first = m / p.group_kernels() * channels;
  double sum = 0;
  for (int y = 0; y < p.kernel_height; ++y)
    for (int x = 0; x < p.kernel_width; ++x) {
      const int row = h * p.stride_height + y * p.dilation_height - p.pad_top;
      const int column = w * p.stride_width + x * p.dilation_width - p.pad_left;
      if (row < 0 || row >= p.height || column < 0 || column >= p.width) continue;
      const auto image = static_cast<std::size_t>((row * p.width + column) * p.channels + first);
      const auto kernel = static_cast<std::size_t>(((m * p.kernel_height + y) * p.kernel_width + x) * channels);
      for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c)
        sum += static_cast<double>(r.image[image + c]) * static_cast<double>(r.kernel[kernel + c]);
    }
  return sum;
}

}  // namespace

std::int64_t position(const Layout& layout, const Extents& extents, const std::vector<int>& index) {
  std::int64_t at = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const char dimension = extents.of[d].first;
    if (dimension == layout.blocked)
      at += index[d] / layout.block * block_stride(layout, extents) + index[d] % layout.block;
    else
      at += index[d] * stride(layout, extents, dimension);
  }
  return at;
}

Reference make_reference(const Problem& problem, unsigned seed) {
  std::mt19937 random(seed);
  Reference r{problem,
              random_values(elements_of(problem.image()), random),
              random_values(elements_of(problem.kernel()), random),
              {},
              0};
  for (float& value : r.image) value = flyte::rounded(value, problem.stored.image);
  for (float& value : r.kernel) value = flyte::rounded(value, problem.stored.weights);
  double squares = 0;
  each(problem.output(), [&](const std::vector<int>& at, std::size_t) {
    r.output.push_back(one_output(r, at[0], at[1], at[2]));
    squares += r.output.back() * r.output.back();
  });
  const double taps = static_cast<double>(problem.kernel_height) * problem.kernel_width * problem.group_channels();
  r.bound = 4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * std::sqrt(taps) *
            std::sqrt(squares / static_cast<double>(r.output.size()));
  return r;
}

std::vector<float> pack(const std::vector<float>& dense, const Layout& layout, const Extents& extents) {
  std::vector<float> packed(static_cast<std::size_t>(elements(layout, extents)), 0.0F);
  each(extents, [&](const std::vector<int>& at, std::size_t i) {
    packed[static_cast<std::size_t>(position(layout, extents, at))] = dense[i];
  });
  const std::vector<std::byte> bytes = flyte::encoded(packed, layout.storage);
  std::vector<float> filled((floats_of(layout, extents) + 15) / 16 * 16, 0.0F);
  std::memcpy(filled.data(), bytes.data(), bytes.size());
  return filled;
}

std::size_t floats_of(const Layout& layout, const Extents& extents) {
  return static_cast<std::size_t>((bytes(layout, extents) + readable_behind(layout) + 3) / 4);
}

std::vector<float> pack_kernel(const Reference& reference, const Generated& text) {
  const Problem& p = reference.problem;
  return pack(transformed(text.transform, p, reference.kernel.data()), text.kernel, text.kernel_extents(p));
}

double bound_of(const Reference& reference, const Generated& text) {
  if (text.transform.none() || text.kernel.storage.complete()) return reference.bound * text.transform.error_growth;
  // Transformed kernels are rounded: each product by as much as storing takes, in any direction.
  double squares = 0;
  for (const double value : reference.output) squares += value * value;
  const double rms = std::sqrt(squares / static_cast<double>(reference.output.size()));
  return (reference.bound + 4 * flyte::largest_relative_error(text.kernel.storage) * rms) * text.transform.error_growth;
}

double largest_error(const Reference& reference, const Layout& layout, const float* output) {
  double largest = 0;
  const auto stored = std::as_bytes(std::span(output, floats_of(layout, reference.problem.output())));
  const std::vector<float> values =
      flyte::decoded(stored.first(static_cast<std::size_t>(bytes(layout, reference.problem.output()))), layout.storage);
  const double rounding = flyte::largest_relative_error(layout.storage);
  each(reference.problem.output(), [&](const std::vector<int>& at, std::size_t i) {
    const double value =
        static_cast<double>(values[static_cast<std::size_t>(position(layout, reference.problem.output(), at))]);
    const double error =
        std::max(0.0, std::abs(value - reference.output[i]) - rounding * std::abs(reference.output[i]));
    largest = std::isfinite(value) ? std::max(largest, error) : std::numeric_limits<double>::infinity();
  });
  return largest;
}

}  // namespace convscope::cpu
