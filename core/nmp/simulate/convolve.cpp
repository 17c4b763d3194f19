#include "core/nmp/simulate/convolve.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::nmp::simulation {
namespace {

constexpr std::int64_t sum_limit = std::int64_t{1} << 47;

/// A signed number of 1, 2 or 4 bytes, low byte first.
std::int32_t number_at(std::span<const std::uint8_t> bytes, std::int64_t index, int width) {
  const std::uint8_t* const at = bytes.data() + index * width;
  if (width == 1) return static_cast<std::int8_t>(at[0]);
  if (width == 2) return static_cast<std::int16_t>(static_cast<std::uint16_t>(at[0] | at[1] << 8));
  return static_cast<std::int32_t>(std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 |
                                   std::uint32_t{at[3]} << 24);
}

void put(std::span<std::uint8_t> bytes, std::int64_t index, int width, std::int64_t value) {
  std::uint8_t* const at = bytes.data() + index * width;
  for (int i = 0; i < width; ++i) at[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
}

template <int Width>
std::int32_t element_at(const std::uint8_t* at) {
  if constexpr (Width == 1) return static_cast<std::int8_t>(*at);
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(at[0] | at[1] << 8));
}

/// Returns the largest amount.
template <int Width>
std::int32_t spread_row(const std::uint8_t* from, std::int16_t* to, std::int64_t count, std::int64_t phase_columns,
                        const ConvolutionSettings& s) {
  std::int32_t largest = 0;
  std::int64_t phase = s.zeros_left % s.stride_x, place = s.zeros_left / s.stride_x;
  for (std::int64_t column = 0; column < count; ++column, from += Width) {
    const std::int32_t value = element_at<Width>(from);
    to[phase * phase_columns + place] = static_cast<std::int16_t>(value);
    largest = std::max(largest, std::abs(value));
    if (++phase < s.stride_x) continue;
    phase = 0;
    ++place;
  }
  return largest;
}

/// Half is added, so that ties go up.
std::int64_t rounded(std::int64_t sum, int shift) {
  return shift == 0 ? sum : (sum + (std::int64_t{1} << (shift - 1))) >> shift;
}

std::int64_t saturated(std::int64_t value, int width) {
  const std::int64_t limit = std::int64_t{1} << (8 * width - 1);
  return std::clamp(value, -limit, limit - 1);
}

}  // namespace

// Tap (ky, kx) of output (r, c) is input (r sy + ky dy - top, c sx + kx dx - left).
void Convolver::spread(const ConvolutionSettings& s, std::span<const std::uint8_t> in) {
  const std::int64_t rows =
      std::int64_t{s.out_rows - 1} * s.stride_y + std::int64_t{s.kernel_height - 1} * s.dilation_y + 1;
  const std::int64_t columns =
      std::int64_t{s.out_columns - 1} * s.stride_x + std::int64_t{s.kernel_width - 1} * s.dilation_x + 1;
  phase_columns_ = divide_up(columns, s.stride_x);
  row_size_ = phase_columns_ * s.stride_x;
  map_size_ = rows * row_size_;
  in_.assign(static_cast<std::size_t>(map_size_ * s.in_maps()), 0);
  largest_in_ = 0;
  const std::int64_t seen_rows = std::min<std::int64_t>(s.in_rows, rows - s.zeros_top);
  const std::int64_t seen_columns = std::min<std::int64_t>(s.in_columns, columns - s.zeros_left);
  for (std::int64_t map = 0; map < s.in_maps(); ++map)
    for (std::int64_t row = 0; row < seen_rows; ++row) {
      const std::uint8_t* const from = in.data() + (map * s.in_rows + row) * s.in_columns * s.element_bytes;
      std::int16_t* const to = in_.data() + map * map_size_ + (row + s.zeros_top) * row_size_;
      const std::int32_t largest = s.element_bytes == 2 ? spread_row<2>(from, to, seen_columns, phase_columns_, s)
                                                        : spread_row<1>(from, to, seen_columns, phase_columns_, s);
      largest_in_ = std::max<std::int64_t>(largest_in_, largest);
    }
}

void Convolver::take_weights(const ConvolutionSettings& s, std::span<const std::uint8_t> weights, std::int64_t filter) {
  weights_.resize(static_cast<std::size_t>(std::int64_t{s.channels} * s.taps()));
  for (std::size_t i = 0; i < weights_.size(); ++i)
    weights_[i] = number_at(weights, filter * s.filter_pitch + static_cast<std::int64_t>(i), s.element_bytes);
}

void Convolver::begin(const ConvolutionSettings& s, const ConvolutionTiles& tiles, std::int64_t filter) {
  const std::int64_t bias = s.first ? tiles.biases[static_cast<std::size_t>(filter)] : 0;
  std::fill(sums_.begin(), sums_.end(), bias);
  if (s.first && !s.residual) return;
  const int width = s.first ? s.element_bytes : s.partial_sum_bytes;
  const std::int64_t scale = std::int64_t{1} << (s.first ? s.residual_shift : s.shift - s.guard);
  std::int64_t from = filter * s.out_rows * s.out_columns;
  for (std::int64_t row = 0; row < s.out_rows; ++row) {
    std::int64_t* const to = sums_.data() + row * sum_pitch_;
    for (std::int64_t column = 0; column < s.out_columns; ++column) {
      const std::int64_t partial = number_at(tiles.out, from++, width);
      // What is beyond 48 bits is refused; so much beyond must not leave 64.
      const bool fits = partial >= -(sum_limit / scale) && partial <= sum_limit / scale;
      to[column] = fits ? bias + partial * scale : 2 * sum_limit;
    }
  }
}

void Convolver::flush() {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i] += parts_[i];
    parts_[i] = 0;
  }
  parts_bound_ = 0;
}

void Convolver::add_tap(const ConvolutionSettings& s, const std::int16_t* from, std::int16_t weight) {
  std::int32_t* to = parts_.data();
  const bool one_run = sum_pitch_ == row_size_ * s.stride_y;
  const std::int64_t count = one_run ? static_cast<std::int64_t>(parts_.size()) : s.out_columns;
  for (std::int64_t row = 0; row < (one_run ? 1 : s.out_rows); ++row, from += row_size_ * s.stride_y, to += sum_pitch_)
    for (std::int64_t i = 0; i < count; ++i) to[i] += weight * from[i];
}

// Products are added up in 32 bits for as long as no sum of them can leave those: twice as many at a time.
void Convolver::add(const ConvolutionSettings& s, std::int64_t first_map) {
  constexpr std::int64_t part_limit = std::numeric_limits<std::int32_t>::max();
  std::size_t next = 0;
  for (int channel = 0; channel < s.channels; ++channel)
    for (int ky = 0; ky < s.kernel_height; ++ky)
      for (int kx = 0; kx < s.kernel_width; ++kx, ++next) {
        const std::int32_t weight = weights_[next];
        const std::int64_t largest = std::abs(weight) * largest_in_;
        if (largest == 0) continue;
        if (parts_bound_ + largest > part_limit) flush();
        parts_bound_ += largest;
        const std::int64_t position = std::int64_t{kx} * s.dilation_x;
        add_tap(s,
                in_.data() + (first_map + channel) * map_size_ + std::int64_t{ky} * s.dilation_y * row_size_ +
                    position % s.stride_x * phase_columns_ + position / s.stride_x,
                static_cast<std::int16_t>(weight));
      }
  flush();
}

bool Convolver::any_beyond(const ConvolutionSettings& s) const {
  for (std::int64_t row = 0; row < s.out_rows; ++row) {
    const std::int64_t* const sums = sums_.data() + row * sum_pitch_;
    if (std::any_of(sums, sums + s.out_columns, [](std::int64_t sum) { return sum < -sum_limit || sum >= sum_limit; }))
      return true;
  }
  return false;
}

void Convolver::finish(const ConvolutionSettings& s, std::span<std::uint8_t> out, std::int64_t filter) const {
  const bool clamps = s.last && (s.clamp_low != 0 || s.clamp_high != 0);
  const int width = s.last ? s.element_bytes : s.partial_sum_bytes, shift = s.last ? s.shift : s.shift - s.guard;
  std::int64_t to = filter * s.out_rows * s.out_columns;
  for (std::int64_t row = 0; row < s.out_rows; ++row) {
    const std::int64_t* const sums = sums_.data() + row * sum_pitch_;
    for (std::int64_t column = 0; column < s.out_columns; ++column) {
      const std::int64_t value = saturated(rounded(sums[column], shift), width);
      put(out, to++, width, clamps ? std::clamp<std::int64_t>(value, s.clamp_low, s.clamp_high) : value);
    }
  }
}

std::string Convolver::convolve(const ConvolutionSettings& s, const ConvolutionTiles& tiles) {
  spread(s, tiles.in);
  const bool one_run = s.stride_x == 1 && s.stride_y == 1;
  sum_pitch_ = one_run ? row_size_ : s.out_columns;
  const auto size = static_cast<std::size_t>((s.out_rows - 1) * sum_pitch_ + s.out_columns);
  sums_.resize(size);
  parts_.assign(size, 0);
  // Partial sums may be wider than the residual, which they would overwrite if the first filter came first.
  const std::int64_t filters = s.filters();
  for (std::int64_t i = 0; i < filters; ++i) {
    const std::int64_t filter = s.residual ? filters - 1 - i : i;
    take_weights(s, tiles.weights, filter);
    begin(s, tiles, filter);
    const bool begins_beyond = any_beyond(s);
    if (!begins_beyond) add(s, s.depthwise ? filter / s.maps_per_unit * s.channels : 0);
    if (begins_beyond || any_beyond(s))
      return fmt::format("a sum of filter {} leaves 48 bits; expected fewer or smaller products", filter);
    finish(s, tiles.out, filter);
  }
  return {};
}

}  // namespace convscope::nmp::simulation
