#include "core/winograd/error/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <random>
#include <span>

#include "core/base/cancellation.h"
#include "core/winograd/error/chains.h"
#include "core/winograd/error/tile_transform.h"

namespace convscope::winograd {
namespace {

std::size_t square(int side) {
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}

/// The same on every host: the standard's distributions are not.
std::vector<float> uniform(std::size_t count, std::mt19937_64& random) {
  constexpr double scale = 1.0 / static_cast<double>(std::uint64_t{1} << 52);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(static_cast<double>(random() >> 11) * scale - 1);
  return values;
}

/// Transformed kernels [n n][channel][kernel] from [r r][channel][kernel].
std::vector<float> transformed_kernels(const Transform& transform, const std::vector<float>& kernels,
                                       std::size_t vectors) {
  const std::size_t inputs = square(transform.r), outputs = square(transform.n());
  std::vector<float> result(outputs * vectors);
  std::vector<double> tile(inputs);
  for (std::size_t v = 0; v < vectors; ++v) {
    for (std::size_t i = 0; i < inputs; ++i) tile[i] = kernels[i * vectors + v];
    const std::vector<double> values = transformed(transform.g, tile);
    for (std::size_t i = 0; i < outputs; ++i) result[i * vectors + v] = static_cast<float>(values[i]);
  }
  return result;
}

/// One vector of channels for each position, as input of a transform for each channel.
std::vector<float> transformed_image(TileTransform& transform, std::span<const float> image, std::size_t channels) {
  const std::size_t positions = image.size() / channels;
  std::vector<float> result(image.size()), tile(positions), values(positions);
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = 0; i < positions; ++i) tile[i] = image[i * channels + c];
    transform.apply(tile, values);
    for (std::size_t i = 0; i < positions; ++i) result[i * channels + c] = values[i];
  }
  return result;
}

}  // namespace

ErrorTrial::ErrorTrial(int m, int r, const ErrorSetup& setup) : m_(m), r_(r), n_(input_length(m, r)), setup_(setup) {
  assert(setup.channels > 0 && setup.kernels > 0 && setup.tiles > 0 && setup.chain >= 0);
  std::mt19937_64 random(setup.seed);
  const auto channels = static_cast<std::size_t>(setup.channels), kernels = static_cast<std::size_t>(setup.kernels);
  images_ = uniform(static_cast<std::size_t>(setup.tiles) * square(n_) * channels, random);
  kernels_ = uniform(square(r) * channels * kernels, random);
  for (std::size_t tile = 0; tile < static_cast<std::size_t>(setup.tiles); ++tile)
    for (int position = 0; position < m * m; ++position) {
      std::vector<double> sums(kernels);
      for (int weight = 0; weight < r * r; ++weight) {
        const int row = position / m + weight / r, column = position % m + weight % r;
        const float* values = &images_[(tile * square(n_) + static_cast<std::size_t>(row * n_ + column)) * channels];
        const float* weights = &kernels_[static_cast<std::size_t>(weight) * channels * kernels];
        for (std::size_t c = 0; c < channels; ++c)
          for (std::size_t k = 0; k < kernels; ++k)
            sums[k] += static_cast<double>(values[c]) * static_cast<double>(weights[c * kernels + k]);
      }
      right_.insert(right_.end(), sums.begin(), sums.end());
    }
}

MeasuredError ErrorTrial::compare(const std::vector<float>& outputs) const {
  double errors = 0, squares = 0, largest = 0;
  for (std::size_t i = 0; i < right_.size(); ++i) {
    const double error = std::abs(static_cast<double>(outputs[i]) - right_[i]);
    errors += error * error;
    squares += right_[i] * right_[i];
    largest = std::max(largest, error);
  }
  return {std::sqrt(errors / squares), largest / std::sqrt(squares / static_cast<double>(right_.size()))};
}

MeasuredError ErrorTrial::of(const Transform& transform, const std::stop_token& stop) const {
  assert(transform.m == m_ && transform.r == r_);
  const auto channels = static_cast<std::size_t>(setup_.channels), kernels = static_cast<std::size_t>(setup_.kernels);
  const std::size_t positions = square(n_);
  const std::vector<float> weights = transformed_kernels(transform, kernels_, channels * kernels);
  TileTransform input(transform.bt), output(transform.at);
  Chains chains(kernels, setup_.chain);
  std::vector<float> outputs, products(positions * kernels);
  for (std::size_t tile = 0; tile < static_cast<std::size_t>(setup_.tiles); ++tile) {
    throw_if_stopped(stop);
    const auto image = transformed_image(
        input, std::span(images_).subspan(tile * positions * channels, positions * channels), channels);
    for (std::size_t i = 0; i < positions; ++i) {
      for (std::size_t c = 0; c < channels; ++c)
        chains.add(image[i * channels + c], std::span(weights).subspan((i * channels + c) * kernels, kernels));
      const std::vector<float> sums = chains.take();
      std::copy(sums.begin(), sums.end(), products.begin() + static_cast<std::ptrdiff_t>(i * kernels));
    }
    std::vector<float> result(square(m_) * kernels), values(positions), outs(square(m_));
    for (std::size_t k = 0; k < kernels; ++k) {
      for (std::size_t i = 0; i < positions; ++i) values[i] = products[i * kernels + k];
      output.apply(values, outs);
      for (std::size_t i = 0; i < outs.size(); ++i) result[i * kernels + k] = outs[i];
    }
    outputs.insert(outputs.end(), result.begin(), result.end());
  }
  return compare(outputs);
}

MeasuredError ErrorTrial::of_direct(const std::stop_token& stop) const {
  const auto channels = static_cast<std::size_t>(setup_.channels), kernels = static_cast<std::size_t>(setup_.kernels);
  Chains chains(kernels, setup_.chain);
  std::vector<float> outputs;
  for (std::size_t tile = 0; tile < static_cast<std::size_t>(setup_.tiles); ++tile) {
    throw_if_stopped(stop);
    for (int position = 0; position < m_ * m_; ++position) {
      for (int weight = 0; weight < r_ * r_; ++weight) {
        const int row = position / m_ + weight / r_, column = position % m_ + weight % r_;
        const std::size_t pixel = (tile * square(n_) + static_cast<std::size_t>(row * n_ + column)) * channels;
        for (std::size_t c = 0; c < channels; ++c)
          chains.add(images_[pixel + c],
                     std::span(kernels_).subspan((static_cast<std::size_t>(weight) * channels + c) * kernels, kernels));
      }
      const std::vector<float> sums = chains.take();
      outputs.insert(outputs.end(), sums.begin(), sums.end());
    }
  }
  return compare(outputs);
}

}  // namespace convscope::winograd
