#pragma once
// Fixed-point numbers Qm.n and where their point should be.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace convscope::quantization {

inline constexpr int least_bits = 2, most_bits = 32;

/// Qm.n: two's complement numbers of `bits` = m + n bits, the sign among them, of which `fraction` = n stand behind the
/// point: integer k means k * 2^-n. n may be negative or larger than `bits`.
struct Format {
  int bits = 16;
  int fraction = 8;

  std::int64_t least() const { return -(std::int64_t{1} << (bits - 1)); }    ///< as integers
  std::int64_t most() const { return (std::int64_t{1} << (bits - 1)) - 1; }  ///< as integers
  /// "Q8.8".
  std::string name() const;
  bool operator==(const Format&) const = default;
};

/// "Q8.8", "Q5.11", "Q-2.18": nothing if the text is none, has fewer than 2 or more than 32 bits, or its point stands
/// more than 64 bits from its last one.
std::optional<Format> parse_format(std::string_view text);

/// The nearest integer, ties upwards as hardware has it that adds a half and shifts; saturated to what the format
/// holds. Of what is no number, 0.
std::int64_t quantize(double value, const Format& format);
double dequantize(std::int64_t integer, const Format& format);
/// What is left of a value in the format.
double rounded(double value, const Format& format);
/// The same of all values in place.
void round_all(std::span<double> values, const Format& format);

/// The interval that values lie in; 0 belongs to it.
struct Range {
  double least = 0, most = 0;

  void add(double value);
  void add(const Range& other);
  bool operator==(const Range&) const = default;
};

/// Values that are no numbers or infinite are left out.
Range range_of(std::span<const double> values);

/// Limits of the fraction's bits, such as a machine's shifter has.
struct FractionLimits {
  int least = 0, most = 15;
  bool operator==(const FractionLimits&) const = default;
};

/// The format with the most fraction bits within the limits in which neither end of the range saturates; with the
/// fewest if even that one saturates. An empty range gets the most.
Format format_for(const Range& range, int bits, const FractionLimits& limits = {});

}  // namespace convscope::quantization
