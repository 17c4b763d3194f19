#include "tests/core/cpu/flyte_functions.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/generate/flyte_text.h"

namespace convscope::cpu {

using flyte::Rounding;

std::vector<FlyteFunction> flyte_functions(Family family) {
  std::vector<FlyteFunction> all;
  for (const int whole : {4, 8})
    for (int bytes = 1; bytes < whole; ++bytes)
      for (const Rounding rounding : {Rounding::nearest_even, Rounding::truncated}) {
        const int most = family == Family::neon32 && whole == 8 ? 1 : traits(family).lanes * 4 / whole;
        for (int lanes = 1; lanes <= std::max(1, most); lanes *= 2)
          if (lanes != 2 || whole == 8 || traits(family).lanes == 4) all.push_back({{bytes, rounding, whole}, lanes});
      }
  return all;
}

std::string flyte_source(const std::vector<FlyteFunction>& functions, Family family) {
  std::string source;
  for (int lanes = 2; lanes <= 16; lanes *= 2)
    source += fmt::format("typedef float v{0} __attribute__((vector_size({1})));\n", lanes, 4 * lanes);
  for (int lanes = 2; lanes <= 8; lanes *= 2)
    source += fmt::format("typedef double d{0} __attribute__((vector_size({1})));\n", lanes, 8 * lanes);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto& [storage, lanes] = functions[i];
    const std::string number = storage.whole == 4 ? "float" : "double";
    const std::string vector = lanes == 1 ? number : fmt::format("{}{}", storage.whole == 4 ? 'v' : 'd', lanes);
    source += fmt::format("namespace s{} {{\n", i) + flyte_load_function(storage, family, lanes) +
              flyte_store_functions(storage, family, lanes);
    source += fmt::format(
        "extern \"C\" void load_{0}(const unsigned char* from, {1}* to, long count) {{\n"
        "  for (long i = 0; i < count; i += {2}) {{\n    const {3} one = {4}(from + i * {5});\n"
        "    __builtin_memcpy(to + i, &one, sizeof one);\n  }}\n}}\n",
        i, number, lanes, vector, flyte_load_name(storage, lanes), storage.bytes);
    for (const char* how : {"store", "overwrite"})
      source += fmt::format(
          "extern \"C\" void {6}_{0}(const {1}* from, unsigned char* to, long count) {{\n"
          "  for (long i = 0; i < count; i += {2}) {{\n    {3} one;\n    __builtin_memcpy(&one, from + i, sizeof "
          "one);\n"
          "    {6}{4}(to + i * {5}, one);\n  }}\n}}\n",
          i, number, lanes, vector, flyte_store_name(storage, lanes).substr(5), storage.bytes, how);
    source += "}\n";
  }
  return source;
}

template <typename Float>
using Bits = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;

std::string told(const FlyteFunction& function) {
  return fmt::format("{}, {} lanes", flyte::text(function.storage), function.lanes);
}

std::vector<std::byte> stored_numbers(const FlyteFunction& function, bool every, std::uint64_t step) {
  const auto& [storage, lanes] = function;
  std::vector<std::byte> bytes;
  std::mt19937_64 random(13);
  const bool three = storage.bytes == 3 && storage.whole == 4 && every, all = storage.bytes <= 2 || three;
  const std::uint64_t count = all ? std::uint64_t{1} << (8 * storage.bytes) : 1U << 16;
  for (int lane = 0; lane < (three ? 1 : lanes); ++lane) {
    bytes.resize(bytes.size() + static_cast<std::size_t>(lane * storage.bytes), std::byte{0x3c});
    for (std::uint64_t i = 0; i < count; i += step) {
      const std::uint64_t value = all ? i : random();
      for (int byte = 0; byte < storage.bytes; ++byte) bytes.push_back(static_cast<std::byte>(value >> (8 * byte)));
    }
    while (bytes.size() % static_cast<std::size_t>(storage.bytes * lanes) != 0) bytes.push_back(std::byte{0x3c});
  }
  return bytes;
}

}  // namespace convscope::cpu
