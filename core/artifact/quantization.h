#pragma once
// A network in fixed point: the format of each tensor, how its values lie in it, and the error along the network.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace convscope::artifact {

/// Finite numbers by magnitude: bin i counts those with 2^(first + i) <= |x| < 2^(first + i + 1).
struct MagnitudeHistogram {
  int first = 0;
  std::vector<std::int64_t> positive, negative;  ///< of one size
  std::int64_t zeros = 0;

  std::int64_t count() const;
  /// Share of all that is at least 2^exponent.
  double share_from(int exponent) const;
  /// Share of all that is below 2^exponent, and not zero.
  double share_below(int exponent) const;
};

struct QuantizedTensor {
  std::string name;
  int layer = -1;         ///< that computes it, or, of a constant, takes it first; -1: an input of the network
  bool constant = false;  ///< weights, a bias, or what is added
  bool own = false;       ///< its point follows from a scale that the file states
  std::string format;     ///< "Q3.13"
  int bits = 0, fraction = 0;
  int points = 1;                 ///< several: each filter has its own, `fraction` is the least
  double least = 0, most = 0;     ///< of the values seen
  MagnitudeHistogram values{};    ///< over all inputs, computed in floating point
  double alone = 0;               ///< sum of squared errors over sum of squares, if it alone is rounded
  std::optional<double> noise{};  ///< the same with everything rounded; nothing for constants
  double added = 0;               ///< `noise` less the largest of what it is computed from; may be negative

  int top() const { return bits - 1 - fraction; }  ///< magnitudes of 2^top and more saturate
};

struct Quantization {
  int bits = 16;
  double percentile = 100;
  bool per_filter = false;
  int inputs = 0;
  int same_answer = 0;                     ///< inputs whose first output has its largest value in the same place
  std::vector<QuantizedTensor> tensors{};  ///< in the order of computation, constants before what takes them
  std::vector<int> outputs{};              ///< of the network, as indices of these
};

/// -10 log10 of noise over signal: the signal to quantization noise ratio. Infinite without noise.
double decibels(double noise);

}  // namespace convscope::artifact
