#include "bench/cpu/flyte_streams.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <boost/align/aligned_allocator.hpp>
#include <dlfcn.h>
#include <fmt/format.h>

#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/sampling.h"
#include "core/cpu/run/toolchain.h"
#include "core/flyte/flyte.h"

namespace convscope::bench {
namespace {

using namespace cpu;

constexpr std::size_t line = 64;
using Bytes = std::vector<std::byte, boost::alignment::aligned_allocator<std::byte, line>>;
using Floats = std::vector<float, boost::alignment::aligned_allocator<float, line>>;
using Dot = float (*)(const unsigned char*, const unsigned char*, long);
using Store = void (*)(const float*, unsigned char*, long);

struct Way {
  flyte::Storage storage;
  Family family;
};

struct Functions {
  Dot dot = nullptr;
  Store store = nullptr, overwrite = nullptr;
};

std::string text(const Way& way) {
  return fmt::format("{} {}", flyte::text(way.storage), traits(way.family).key);
}

/// What flyte_text.h has of flyte, for whole numbers.
std::string plain_functions(int lanes) {
  const std::string vector = fmt::format("v{}", lanes), suffix = fmt::format("flyte32_{}", lanes);
  std::string all = fmt::format(
      "static inline {0} load_{1}(const unsigned char* from) {{\n  {0} value;\n"
      "  __builtin_memcpy(&value, from, sizeof value);\n  return value;\n}}\n",
      vector, suffix);
  for (const char* how : {"store", "overwrite"})
    all += fmt::format(
        "static inline void {2}_{1}(unsigned char* to, {0} value) {{ __builtin_memcpy(to, &value, sizeof value); }}\n",
        vector, suffix, how);
  return all;
}

/// Sums of products of two stored vectors, in four sums side by side, and stores one vector after the other.
std::string source_of(const Way& way) {
  const int lanes = traits(way.family).lanes, bytes = way.storage.bytes;
  const std::string vector = fmt::format("v{}", lanes), load = flyte_load_name(way.storage, lanes);
  std::string source = fmt::format("typedef float v{0} __attribute__((vector_size({1})));\n", lanes, 4 * lanes);
  source += way.storage.complete() ? plain_functions(lanes)
                                   : flyte_load_function(way.storage, way.family, lanes) +
                                         flyte_store_functions(way.storage, way.family, lanes);
  source += "extern \"C\" float dot(const unsigned char* a, const unsigned char* b, long count) {\n";
  for (int i = 0; i < 4; ++i) source += fmt::format("  {} sum{} = {{}};\n", vector, i);
  source += fmt::format("  for (long i = 0; i < count; i += {}) {{\n", 4 * lanes);
  for (int i = 0; i < 4; ++i)
    source +=
        fmt::format("    sum{0} += {1}(a + (i + {2}) * {3}) * {1}(b + (i + {2}) * {3});\n", i, load, i * lanes, bytes);
  source += "  }\n  sum0 += sum1 + sum2 + sum3;\n  float sum = 0;\n";
  source += fmt::format("  for (int i = 0; i < {}; ++i) sum += sum0[i];\n  return sum;\n}}\n", lanes);
  for (const char* how : {"store", "overwrite"})
    source += fmt::format(
        "extern \"C\" void {0}(const float* from, unsigned char* to, long count) {{\n"
        "  for (long i = 0; i < count; i += {1}) {{\n    v{1} one;\n    __builtin_memcpy(&one, from + i, sizeof one);\n"
        "    {0}{2}(to + i * {3}, one);\n  }}\n}}\n",
        how, lanes, flyte_store_name(way.storage, lanes).substr(5), bytes);
  return source;
}

Functions compiled(const Way& way, const std::string& folder, std::size_t number) {
  const std::string stem = fmt::format("{}/way{}", folder, number);
  std::ofstream(stem + ".cpp") << source_of(way);
  const std::string command =
      fmt::format("g++ -O2 -fPIC -shared -Wno-psabi {} {}.cpp -o {}.so", traits(way.family).flags, stem, stem);
  void* library = std::system(command.c_str()) == 0 ? dlopen((stem + ".so").c_str(), RTLD_NOW) : nullptr;
  if (library == nullptr) return {};
  return {reinterpret_cast<Dot>(dlsym(library, "dot")), reinterpret_cast<Store>(dlsym(library, "store")),
          reinterpret_cast<Store>(dlsym(library, "overwrite"))};
}

/// What one level is read from. Vectors begin at lines; those of another way elsewhere.
struct Data {
  long count = 0;
  Floats floats;
  std::vector<Bytes> first, second, target;  ///< by way

  Data(const std::vector<Way>& ways, long numbers) : count(numbers), floats(static_cast<std::size_t>(numbers)) {
    std::mt19937 random(1);
    for (float& value : floats) value = static_cast<float>(random()) * 0x1p-32F;
    for (const Way& way : ways) {
      const std::vector<std::byte> bytes = flyte::encoded(std::span<const float>(floats), way.storage);
      first.emplace_back(bytes.begin(), bytes.end());
      first.back().resize(bytes.size() + line);
      second.push_back(first.back());
      target.emplace_back(first.back().size());
    }
  }
};

const unsigned char* begin_of(const Bytes& bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

void print(const std::string& what, const Sampled& sampled, double goal) {
  const double speed = 1 / sampled.ratio;
  std::printf("  %-34s %.2f x float32 (%s of %d)", what.c_str(), speed, sampled.gated ? "median" : "minimum",
              sampled.samples);
  std::printf(goal > 0 ? ", goal %.2f: %s\n" : "\n", goal, speed >= goal ? "reached" : "MISSED");
}

/// From memory, where the page asks for them.
double goal_of(const Way& way, bool memory) {
  return !memory || way.storage.bytes == 1 ? 0 : way.storage.bytes == 2 ? 1.7 : 1.2;
}

void level(const char* name, const std::vector<Way>& ways, const std::vector<Functions>& functions, long count,
           bool memory) {
  Data data(ways, count);
  volatile float kept = 0;
  std::vector<std::function<void()>> dots, stores;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    dots.emplace_back([&, i] { kept = functions[i].dot(begin_of(data.first[i]), begin_of(data.second[i]), count); });
    for (const Store store : {functions[i].overwrite, functions[i].store})
      stores.emplace_back(
          [&, i, store] { store(data.floats.data(), reinterpret_cast<unsigned char*>(data.target[i].data()), count); });
  }
  const Family family = ways.back().family;
  const SamplingOptions options{101, memory ? 20.0 : 4.0, false};
  std::printf("%s, %ld numbers a vector\n", name, count);
  const Sampling dotted = sample(dots, family, options), stored = sample(stores, family, options);
  for (std::size_t i = 1; i < ways.size(); ++i)
    print("dot product, " + text(ways[i]), dotted.works[i], goal_of(ways[i], memory));
  for (std::size_t i = 1; i < ways.size(); ++i) {
    print("overwriting, " + text(ways[i]), stored.works[2 * i], 0);
    print("preserving, " + text(ways[i]), stored.works[2 * i + 1], 0);
  }
}

std::vector<Way> ways_of(Family widest) {
  std::vector<Way> ways{{{4}, widest}, {{3}, widest}, {{2}, widest}, {{1}, widest}};
  if (widest == Family::avx512 && runs_here(Family::avx512vbmi))
    ways.insert(ways.begin() + 2, {{3}, Family::avx512vbmi});
  return ways;
}

}  // namespace

bool streams(Family widest) {
  std::string folder = (std::filesystem::temp_directory_path() / "convscope-flyte-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return false;
  const std::vector<Way> ways = ways_of(widest);
  std::vector<Functions> functions;
  for (const Way& way : ways) functions.push_back(compiled(way, folder, functions.size()));
  std::filesystem::remove_all(folder);
  if (std::any_of(functions.begin(), functions.end(), [](const Functions& one) { return one.dot == nullptr; }))
    return false;
  const Host host = this_host();
  // Two vectors of floats take half of a level, and not all of what other guests leave of the last one.
  constexpr std::int64_t numbers = 256, vectors = 2 * sizeof(float), usual_l1 = 32 << 10, usual_l2 = 512 << 10,
                         most_l3 = 8 << 20;
  const auto half = [&](std::int64_t bytes) { return static_cast<long>(bytes / 2 / vectors / numbers * numbers); };
  level("L1", ways, functions, half(host.l1 > 0 ? host.l1 : usual_l1), false);
  level("L2", ways, functions, half(host.l2 > 0 ? host.l2 : usual_l2), false);
  // Virtual machines often don't tell of it.
  level("L3", ways, functions, half(host.l3 > 0 ? std::min(host.l3, most_l3) : most_l3), false);
  level("DRAM", ways, functions, 1L << 24, true);  // 64 MiB of floats each
  return true;
}

}  // namespace convscope::bench
