#pragma once
// What conv2d computes. Private to the simulator.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nmp/architecture/configuration.h"

namespace convscope::nmp::simulation {

/// Tiles as they lie in MB0, MB1 and MB2, from their first byte on, and biases of all filters (of first channels),
/// or the numbers of a table.
struct ConvolutionTiles {
  std::span<const std::uint8_t> in, weights;
  std::span<std::uint8_t> out;
  std::span<const std::int32_t> biases;
};

/// What it holds between two convolutions means nothing; copies leave it behind.
class Convolver {
 public:
  Convolver() = default;
  Convolver(const Convolver&) noexcept {}
  Convolver& operator=(const Convolver&) = delete;

  /// Empty, or which sum leaves 48 bits: OUT is then not complete.
  std::string convolve(const ConvolutionSettings& settings, const ConvolutionTiles& tiles);

 private:
  void spread(const ConvolutionSettings& settings, std::span<const std::uint8_t> in);
  void take_weights(const ConvolutionSettings& settings, std::span<const std::uint8_t> weights, std::int64_t filter);
  void begin(const ConvolutionSettings& settings, const ConvolutionTiles& tiles, std::int64_t filter);
  void add(const ConvolutionSettings& settings, std::int64_t first_map);
  void add_tap(const ConvolutionSettings& settings, const std::int16_t* from, std::int16_t weight);
  void flush();
  void finish(const ConvolutionSettings& settings, std::span<std::uint8_t> out, std::int64_t filter) const;
  bool any_beyond(const ConvolutionSettings& settings) const;

  /// IN with its zeros: [map][row][column modulo stride][column / stride], so that a tap's inputs lie side by side.
  std::vector<std::int16_t> in_;
  std::int64_t phase_columns_ = 0, row_size_ = 0, map_size_ = 0;
  std::int64_t largest_in_ = 0;  ///< of their amounts
  std::vector<std::int32_t> weights_;
  /// Rows of sums lie as far apart as those of `in_` where they can, so that all are one loop; what lies between them
  /// means nothing.
  std::int64_t sum_pitch_ = 0;
  std::vector<std::int64_t> sums_;
  std::vector<std::int32_t> parts_;  ///< of sums, while they fit 32 bits
  std::int64_t parts_bound_ = 0;     ///< no part is larger
};

}  // namespace convscope::nmp::simulation
