#include "core/flyte/flyte.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace convscope::flyte {
namespace {

constexpr std::array<int, 2> wholes{4, 8};

/// The parts of a binary32 or binary64 that rounding looks at.
template <typename Float>
struct Parts;
template <>
struct Parts<float> {
  using Bits = std::uint32_t;
  static constexpr Bits infinity = 0x7f800000, quiet = 0x00400000;
};
template <>
struct Parts<double> {
  using Bits = std::uint64_t;
  static constexpr Bits infinity = 0x7ff0000000000000, quiet = 0x0008000000000000;
};

int dropped_bits(const Storage& storage) {
  return 8 * (storage.whole - storage.bytes);
}

/// With the bytes that are dropped still there, but looked at.
template <typename Float>
typename Parts<Float>::Bits rounded_bits(Float value, const Storage& storage) {
  using Bits = typename Parts<Float>::Bits;
  assert(storage.whole == static_cast<int>(sizeof(Float)) && storage.bytes >= 1 && storage.bytes <= storage.whole);
  const auto bits = std::bit_cast<Bits>(value);
  if (storage.complete()) return bits;
  constexpr Bits sign = Bits{1} << (std::numeric_limits<Bits>::digits - 1);
  const Bits magnitude = bits & ~sign, unit = Bits{1} << dropped_bits(storage);
  // One byte holds a part of the exponent alone: its largest value stands for all that is beyond.
  if (storage.bytes == 1) {
    const Bits largest = sign - unit;
    if (magnitude >= largest) return bits;
  }
  if (magnitude > Parts<Float>::infinity) return bits | Parts<Float>::quiet;
  if (magnitude == Parts<Float>::infinity || storage.rounding == Rounding::truncated) return bits;
  return bits + unit / 2 - 1 + (bits / unit & 1);
}

template <typename Float>
Float round_one(Float value, const Storage& storage) {
  const int dropped = dropped_bits(storage);
  return std::bit_cast<Float>(rounded_bits(value, storage) >> dropped << dropped);
}

/// Whole numbers stand in memory as they do in a file of them.
bool is_memory(const Storage& storage) {
  return storage.complete() && std::endian::native == std::endian::little;
}

template <typename Float>
std::vector<std::byte> encode(std::span<const Float> values, const Storage& storage) {
  if (is_memory(storage)) {
    const auto bytes = std::as_bytes(values);
    return {bytes.begin(), bytes.end()};
  }
  std::vector<std::byte> bytes;
  bytes.reserve(values.size() * static_cast<std::size_t>(storage.bytes));
  for (const Float value : values) {
    auto bits = rounded_bits(value, storage) >> dropped_bits(storage);
    for (int i = 0; i < storage.bytes; ++i, bits >>= 8) bytes.push_back(static_cast<std::byte>(bits & 0xff));
  }
  return bytes;
}

template <typename Float>
std::vector<Float> decode(std::span<const std::byte> bytes, const Storage& storage) {
  assert(storage.whole == static_cast<int>(sizeof(Float)));
  using Bits = typename Parts<Float>::Bits;
  const auto step = static_cast<std::size_t>(storage.bytes);
  std::vector<Float> values;
  if (is_memory(storage)) {
    values.resize(bytes.size() / step);
    std::copy_n(bytes.data(), values.size() * step, std::as_writable_bytes(std::span(values)).data());
    return values;
  }
  values.reserve(bytes.size() / step);
  for (std::size_t at = 0; at + step <= bytes.size(); at += step) {
    Bits bits = 0;
    for (std::size_t i = 0; i < step; ++i) bits |= static_cast<Bits>(bytes[at + i]) << (8 * i);
    values.push_back(std::bit_cast<Float>(bits << dropped_bits(storage)));
  }
  return values;
}

}  // namespace

std::string text(const Storage& storage) {
  if (storage.complete()) return storage.whole == 4 ? "float32" : "float64";
  return fmt::format("flyte-{}{}{}", 8 * storage.bytes, storage.rounding == Rounding::truncated ? " truncated" : "",
                     storage.whole == 8 ? " of float64" : "");
}

std::optional<Storage> parse_storage(std::string_view wanted) {
  for (const int whole : wholes)
    for (int bytes = 1; bytes <= whole; ++bytes)
      for (const Rounding rounding : {Rounding::nearest_even, Rounding::truncated}) {
        const Storage storage{bytes, rounding, whole};
        if (text(storage) == wanted) return storage;
      }
  return std::nullopt;
}

float rounded(float value, const Storage& storage) {
  return round_one(value, storage);
}
double rounded(double value, const Storage& storage) {
  return round_one(value, storage);
}

double largest_relative_error(const Storage& storage) {
  if (storage.complete()) return 0;
  const bool truncated = storage.rounding == Rounding::truncated;
  const int exponent_bits = storage.whole == 4 ? 8 : 11;
  const int mantissa_bits = 8 * storage.bytes - 1 - exponent_bits;
  if (mantissa_bits >= 0) return std::ldexp(truncated ? 1 : 0.5, -mantissa_bits);
  // Neighbours are a factor apart, and what lies half way between their bytes is its square root above the lower one.
  const double factor = std::ldexp(1.0, 1 << -mantissa_bits);
  return truncated ? 1 - 1 / factor : std::sqrt(factor) - 1;
}

std::vector<std::byte> encoded(std::span<const float> values, const Storage& storage) {
  return encode(values, storage);
}
std::vector<std::byte> encoded(std::span<const double> values, const Storage& storage) {
  return encode(values, storage);
}
std::vector<float> decoded(std::span<const std::byte> bytes, const Storage& storage) {
  return decode<float>(bytes, storage);
}
std::vector<double> decoded_doubles(std::span<const std::byte> bytes, const Storage& storage) {
  return decode<double>(bytes, storage);
}

}  // namespace convscope::flyte
