// Numbers stored as flyte against float32: dot products of vectors that don't fit any cache, and convolutions with
// stored weights beside the same programs with weights as floats, each in turn in one run.
#include "core/flyte/flyte.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>

#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/generate/generate.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/run/sampling.h"
#include "core/cpu/tree/tree.h"

namespace convscope::bench {
namespace {

using namespace cpu;

Family widest() {
  return runs_here(Family::avx512) ? Family::avx512 : runs_here(Family::avx2) ? Family::avx2 : Family::scalar;
}

/// Sums of products of two stored vectors, in four sums side by side.
std::string dot_source(const flyte::Storage& storage, Family family) {
  const int lanes = traits(family).lanes;
  const std::string vector = fmt::format("v{}", lanes), load = flyte_load_name(storage, lanes);
  std::string source = fmt::format("typedef float v{0} __attribute__((vector_size({1})));\n", lanes, 4 * lanes);
  source += storage.complete() ? fmt::format(
                                     "static inline {0} {1}(const unsigned char* from) {{\n  {0} value;\n"
                                     "  __builtin_memcpy(&value, from, sizeof value);\n  return value;\n}}\n",
                                     vector, load)
                               : flyte_load_function(storage, family, lanes);
  source += "extern \"C\" float dot(const unsigned char* a, const unsigned char* b, long count) {\n";
  for (int i = 0; i < 4; ++i) source += fmt::format("  {} sum{} = {{}};\n", vector, i);
  source += fmt::format("  for (long i = 0; i < count; i += {}) {{\n", 4 * lanes);
  for (int i = 0; i < 4; ++i)
    source += fmt::format("    sum{0} += {1}(a + (i + {2}) * {3}) * {1}(b + (i + {2}) * {3});\n", i, load, i * lanes,
                          storage.bytes);
  source += "  }\n  sum0 += sum1 + sum2 + sum3;\n  float sum = 0;\n";
  return source + fmt::format("  for (int i = 0; i < {}; ++i) sum += sum0[i];\n  return sum;\n}}\n", lanes);
}

using Dot = float (*)(const unsigned char*, const unsigned char*, long);

Dot compiled_dot(const flyte::Storage& storage, Family family, const std::string& folder) {
  const std::string stem = fmt::format("{}/dot{}", folder, storage.bytes);
  std::ofstream(stem + ".cpp") << dot_source(storage, family);
  const std::string command =
      fmt::format("g++ -O2 -fPIC -shared -Wno-psabi {} {}.cpp -o {}.so", traits(family).flags, stem, stem);
  void* library = std::system(command.c_str()) == 0 ? dlopen((stem + ".so").c_str(), RTLD_NOW) : nullptr;
  return library == nullptr ? nullptr : reinterpret_cast<Dot>(dlsym(library, "dot"));
}

bool streams(Family family) {
  constexpr long count = 1L << 25;  // 128 MiB of floats each
  constexpr int slack = 64;
  std::string folder = (std::filesystem::temp_directory_path() / "convscope-flyte-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return false;
  std::mt19937 random(1);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random()) * 0x1p-32F;
  std::vector<std::vector<std::byte>> stored;
  std::vector<Dot> dots;
  for (const int bytes : {4, 3, 2, 1}) {
    stored.push_back(flyte::encoded(std::span<const float>(values), {bytes}));
    stored.back().resize(stored.back().size() + slack);
    dots.push_back(compiled_dot({bytes}, family, folder));
  }
  std::filesystem::remove_all(folder);
  if (std::find(dots.begin(), dots.end(), nullptr) != dots.end()) return false;
  const long half = count / 2;
  volatile float kept = 0;
  std::vector<std::function<void()>> works;
  for (std::size_t i = 0; i < dots.size(); ++i)
    works.emplace_back([&, i] {
      const auto* bytes = reinterpret_cast<const unsigned char*>(stored[i].data());
      kept = dots[i](bytes, bytes + half * (4 - static_cast<long>(i)), half);
    });
  const Sampling sampled = sample(works, family, {31, 20, false});
  constexpr double goals[] = {0, 1.2, 1.7, 0};
  for (std::size_t i = 1; i < works.size(); ++i) {
    const double speed = 1 / sampled.works[i].ratio;
    std::printf("dot product from DRAM, %-8s %.2f x float32 (minimum of %d)",
                flyte::text({4 - static_cast<int>(i)}).c_str(), speed, sampled.works[i].samples);
    std::printf(goals[i] > 0 ? ", goal %.2f: %s\n" : "\n", goals[i], speed >= goals[i] ? "reached" : "MISSED");
  }
  return true;
}

/// The one of many draws that is estimated best.
std::optional<Path> best_estimated(const Problem& problem, Family family) {
  Machine machine;
  machine.family = family;
  machine.registers = traits(family).registers;
  machine.unit_bits = std::max(32, 32 * traits(family).lanes);
  std::optional<Path> best;
  double least = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto path =
        draw(problem, tree_machine(machine, machine.l2.bytes), drawing_weights(), Drawing::weighted, seed);
    Diagnostics ignored;
    const auto nest = path ? describe(problem, *path, ignored) : std::nullopt;
    if (!nest) continue;
    const double seconds = estimate(*nest, machine).seconds;
    if (!best || seconds < least) best = path, least = seconds;
  }
  return best;
}

void convolutions(Family family) {
  const Availability availability = find_availability();
  if (!availability.available()) return void(std::printf("%s\n", availability.reason.c_str()));
  for (const char* size : {"14x14x256 -> 256, 3x3", "28x28x128 -> 128, 3x3", "7x7x512 -> 512, 3x3"}) {
    Diagnostics diagnostics;
    const auto floats = parse_problem(size, diagnostics);
    const auto path = best_estimated(*floats, family);
    if (!path) continue;
    for (const int bytes : {2, 3}) {
      Problem halves = *floats;
      halves.stored.weights = {bytes};
      RunOptions options;
      options.sampling = {31, 3, false};
      const auto laboratory = Laboratory::open(halves, availability, options, {}, diagnostics);
      if (!laboratory) return void(std::printf("%s\n", diagnostics.text().c_str()));
      std::vector<Runnable> programs;
      for (const Problem& problem : {*floats, halves}) {
        const auto made = generate(problem, *path, diagnostics);
        Outcome failure;
        const auto runnable = made ? laboratory->compile(made->text, {}, failure) : std::nullopt;
        if (!runnable) return void(std::printf("%s %s\n", diagnostics.text().c_str(), failure.message.c_str()));
        programs.push_back(*runnable);
      }
      const std::vector<Outcome> outcomes = laboratory->run(programs, options, {});
      if (!outcomes[1].ran()) return void(std::printf("%s\n", outcomes[1].message.c_str()));
      std::printf("%-24s weights %s: %.3f x float32 (%s, %d samples)%s\n", size, flyte::text({bytes}).c_str(),
                  1 / outcomes[1].ratio, outcomes[1].gated ? "gated" : "minimum", outcomes[1].samples,
                  bytes == 2 ? ", goal .97" : "");
    }
  }
}

}  // namespace
}  // namespace convscope::bench

int main() {
  const convscope::cpu::Family family = convscope::bench::widest();
  if (!convscope::bench::streams(family)) std::printf("no compiler for the dot products\n");
  convscope::bench::convolutions(family);
}
