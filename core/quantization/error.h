#pragma once
// How far fixed-point values are from those they stand for.

#include <cstdint>
#include <span>
#include <string>

namespace convscope::quantization {

/// Sums over values and what became of them; can be gathered over several tensors or inputs.
struct Error {
  std::int64_t count = 0;
  double signal = 0;   ///< sum of the squares of the exact values
  double noise = 0;    ///< sum of the squares of the differences
  double largest = 0;  ///< absolute difference

  /// `approximate` has as many values as `exact`.
  void add(std::span<const double> exact, std::span<const double> approximate);
  /// Signal to quantization noise in decibels: 10 log10(signal / noise). Infinite without noise; minus infinity with
  /// noise but no signal.
  double sqnr() const;
  /// "46.7 dB from floating point", the exact values being such; "those of floating point" without noise.
  std::string from_floats() const;
};

/// Whether the first largest value stands in the same place: the class that a classifier answers. True if there are
/// none.
bool same_largest(std::span<const double> exact, std::span<const double> approximate);

}  // namespace convscope::quantization
