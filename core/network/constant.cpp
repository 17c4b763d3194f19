// Values of constants of every element type as integers or floats.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/network/graph.h"

namespace convscope::network {
namespace {

template <typename T>
T load(const std::byte* bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

float from_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  float magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Two values a byte, the first in the low half.
int from_nibble(const std::byte* bytes, std::size_t index, bool is_signed) {
  const int byte = std::to_integer<int>(bytes[index / 2]);
  const int nibble = index % 2 ? byte >> 4 : byte & 0xf;
  return is_signed && nibble > 7 ? nibble - 16 : nibble;
}

template <typename To, typename From>
To converted(From value) {
  if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    constexpr double limit = 9223372036854775808.0;  // 2^63
    const double wide = static_cast<double>(value);
    if (std::isnan(wide)) return 0;
    if (wide >= limit) return std::numeric_limits<To>::max();
    return wide < -limit ? std::numeric_limits<To>::min() : static_cast<To>(wide);
  } else if constexpr (std::is_same_v<From, std::uint64_t>) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<To>::max());
    return static_cast<To>(value > largest ? largest : value);
  } else {
    return static_cast<To>(value);
  }
}

template <typename To, typename Read>
std::vector<To> read_all(std::size_t count, Read read) {
  std::vector<To> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = converted<To>(read(i));
  return values;
}

template <typename To>
std::optional<std::vector<To>> decode(ElementType type, const std::byte* bytes, std::size_t count) {
  const auto plain = [&]<typename From>(From) {
    return read_all<To>(count, [bytes](std::size_t i) { return load<From>(bytes, i); });
  };
  switch (type) {
    case ElementType::float32:
      return plain(float{});
    case ElementType::float64:
      return plain(double{});
    case ElementType::float16:
      return read_all<To>(count, [bytes](std::size_t i) { return from_float16(load<std::uint16_t>(bytes, i)); });
    case ElementType::bfloat16:
      return read_all<To>(count, [bytes](std::size_t i) { return from_bfloat16(load<std::uint16_t>(bytes, i)); });
    case ElementType::int4:
    case ElementType::uint4:
      return read_all<To>(count, [=](std::size_t i) { return from_nibble(bytes, i, type == ElementType::int4); });
    case ElementType::int8:
      return plain(std::int8_t{});
    case ElementType::uint8:
      return plain(std::uint8_t{});
    case ElementType::int16:
      return plain(std::int16_t{});
    case ElementType::uint16:
      return plain(std::uint16_t{});
    case ElementType::int32:
      return plain(std::int32_t{});
    case ElementType::uint32:
      return plain(std::uint32_t{});
    case ElementType::int64:
      return plain(std::int64_t{});
    case ElementType::uint64:
      return plain(std::uint64_t{});
    case ElementType::boolean:
      return read_all<To>(count, [bytes](std::size_t i) { return bytes[i] != std::byte{0} ? 1 : 0; });
    case ElementType::unknown:
    case ElementType::string:
    case ElementType::other:
      return std::nullopt;
  }
  return std::nullopt;
}

template <typename To>
std::optional<std::vector<To>> values_of(const Constant& constant, std::size_t limit) {
  const auto count = TensorShape{true, constant.dimensions, {}}.elements();
  if (!count || static_cast<std::uint64_t>(*count) > limit || element_bits(constant.type) == 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(*count);
  if (constant.fill) return std::vector<To>(size, converted<To>(*constant.fill));
  const std::size_t needed = (size * static_cast<std::size_t>(element_bits(constant.type)) + 7) / 8;
  if (constant.bytes.size() < needed) return std::nullopt;
  return decode<To>(constant.type, constant.bytes.data(), size);
}

}  // namespace

std::optional<std::vector<std::int64_t>> Constant::integers(std::size_t limit) const {
  return values_of<std::int64_t>(*this, limit);
}

std::optional<std::vector<float>> Constant::floats(std::size_t limit) const {
  return values_of<float>(*this, limit);
}

}  // namespace convscope::network
