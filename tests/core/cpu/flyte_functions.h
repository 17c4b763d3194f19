#pragma once
// What generated loads and stores of flyte are tried with.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/cpu/architecture/family.h"
#include "core/flyte/flyte.h"

namespace convscope::cpu {

struct FlyteFunction {
  flyte::Storage storage;
  int lanes = 1;
};

/// All storages for all vectors of a family.
std::vector<FlyteFunction> flyte_functions(Family family);
/// For the i-th one load_i(from, to, count), store_i(from, to, count) and overwrite_i, which go over `count` numbers.
std::string flyte_source(const std::vector<FlyteFunction>& functions, Family family);
std::string told(const FlyteFunction& function);

/// Stored values, one after the other, each in every lane: all of one and two bytes, of three (binary32) if `every`,
/// else some; of all only each `step`th.
std::vector<std::byte> stored_numbers(const FlyteFunction& function, bool every, std::uint64_t step);

template <typename Float>
using FloatBits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

/// Numbers with every (`step`th) upper two bytes: what is dropped of them random, and for many next to a tie.
template <typename Float>
std::vector<Float> numbers(int bytes, std::uint32_t step) {
  std::mt19937_64 random(11);
  std::vector<Float> values;
  constexpr int digits = sizeof(Float) * 8;
  const int dropped = digits - 8 * bytes;
  const auto half = static_cast<FloatBits<Float>>(FloatBits<Float>{1} << (dropped - 1));
  for (std::uint32_t upper = 0; upper < 1U << 16; upper += step) {
    const auto bits = static_cast<FloatBits<Float>>(FloatBits<Float>{upper} << (digits - 16) |
                                                    (static_cast<FloatBits<Float>>(random()) >> 16));
    values.push_back(std::bit_cast<Float>(bits));
    if (upper % 16 != 0 && upper % 128 < 120) continue;  // exponents of zero, subnormals, Inf and NaN are among these
    const auto kept = static_cast<FloatBits<Float>>(bits >> dropped << dropped);
    for (const FloatBits<Float> rest :
         {FloatBits<Float>{0}, FloatBits<Float>{1}, half - 1, half, half + 1, 2 * half - 1})
      values.push_back(std::bit_cast<Float>(static_cast<FloatBits<Float>>(kept | rest)));
  }
  return values;
}

/// The same so often that each value has been in each lane.
template <typename Float>
std::vector<Float> in_all_lanes(std::vector<Float> values, int lanes) {
  while (values.size() % static_cast<std::size_t>(2 * lanes) != 1) values.push_back(1);
  std::vector<Float> all;
  for (int i = 0; i < lanes; ++i) all.insert(all.end(), values.begin(), values.end());
  return all;
}

template <typename Float>
std::vector<Float> decoded_as(std::span<const std::byte> bytes, const flyte::Storage& storage) {
  if constexpr (sizeof(Float) == 4)
    return flyte::decoded(bytes, storage);
  else
    return flyte::decoded_doubles(bytes, storage);
}

}  // namespace convscope::cpu
