#pragma once
// Flyte: numbers stored as the upper bytes of a binary32 or a binary64, computed with as the whole. A storage format,
// not an arithmetic. Source: "Automatic Program Generation for Convolutional Neural Networks on Resource Constrained
// Devices", section 8.2; rounding, and what becomes of NaN and of numbers beyond the range, are ours.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convscope::flyte {

/// What becomes of the bytes that are dropped. Ties go to the even one of two neighbours, as bytes: in flyte-8, whose
/// neighbours are a factor of four apart, that is no longer the nearer one of two numbers.
enum class Rounding { nearest_even, truncated };

struct Storage {
  int bytes = 4;  ///< 1 to `whole`
  Rounding rounding = Rounding::nearest_even;
  int whole = 4;  ///< of the number that is computed with: 4 (binary32) or 8 (binary64)
  bool operator==(const Storage&) const = default;

  bool complete() const { return bytes == whole; }  ///< nothing is dropped
};

/// "float32", "flyte-24", "flyte-16 truncated"; "float64", "flyte-56 of float64".
std::string text(const Storage& storage);
/// Reads what `text` writes.
std::optional<Storage> parse_storage(std::string_view text);

/// The value that a stored one has: the lower bytes are zero. Infinities stay. A NaN whose payload would be dropped
/// becomes a quiet one. One byte has neither: what doesn't fit becomes the largest number of its sign (a NaN too).
/// Preconditions: the storage's whole is the type's.
float rounded(float value, const Storage& storage);
double rounded(double value, const Storage& storage);

/// Of a normal number that stays within the range: |rounded - value| / |value| is nowhere larger. 0 if nothing is
/// dropped. Flyte-8 of a binary32 has no bit of the mantissa, and one less of the exponent: .75 truncated, else 1.
double largest_relative_error(const Storage& storage);

/// Bytes one value after the other, each with its lowest byte first (little endian, whatever the host is).
std::vector<std::byte> encoded(std::span<const float> values, const Storage& storage);
std::vector<std::byte> encoded(std::span<const double> values, const Storage& storage);
/// As many values as fit.
std::vector<float> decoded(std::span<const std::byte> bytes, const Storage& storage);
std::vector<double> decoded_doubles(std::span<const std::byte> bytes, const Storage& storage);

}  // namespace convscope::flyte
