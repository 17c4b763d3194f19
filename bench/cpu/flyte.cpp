// Numbers stored as flyte against float32: dot products and stores of vectors, and convolutions with stored weights
// beside the same programs with weights as floats, each in turn in one run.
#include "core/flyte/flyte.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/cpu/flyte_streams.h"
#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/generate.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/run/host.h"
#include "core/cpu/run/measure.h"
#include "core/cpu/tree/tree.h"

namespace convscope::bench {
namespace {

using namespace cpu;

Family widest() {
  return runs_here(Family::avx512) ? Family::avx512 : runs_here(Family::avx2) ? Family::avx2 : Family::scalar;
}

Problem with_weights(Problem problem, const flyte::Storage& weights) {
  problem.stored.weights = weights;
  return problem;
}

/// Whether the same path computes the problem with stored weights, too: what it asks memory for depends on their size.
bool takes_stored(const Problem& problem, const Path& path) {
  Diagnostics ignored;
  return describe(with_weights(problem, {2}), path, ignored) && describe(with_weights(problem, {3}), path, ignored);
}

/// The one of many draws that is estimated best, of those that take stored weights.
std::optional<Path> best_estimated(const Problem& problem, Family family) {
  Machine machine;
  machine.family = family;
  machine.registers = traits(family).registers;
  machine.unit_bits = std::max(32, 32 * traits(family).lanes);
  machine.methods = Methods::direct;
  TreeMachine tree = tree_machine(machine, machine.l2.bytes);
  tree.families = {family};
  std::optional<Path> best;
  double least = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const auto path = draw(problem, tree, drawing_weights(), Drawing::weighted, seed);
    Diagnostics ignored;
    const auto nest = path ? describe(problem, *path, ignored) : std::nullopt;
    if (!nest || !takes_stored(problem, *path)) continue;
    const double seconds = estimate(*nest, machine).seconds;
    if (!best || seconds < least) best = path, least = seconds;
  }
  return best;
}

/// The same with another family's instructions.
Path of_family(Path path, Family family) {
  path.choices.front().value = traits(family).key;
  return path;
}

/// One path's program with weights as floats, and with stored ones by each family that loads them in its own way.
bool convolution(const Availability& availability, const char* size, const flyte::Storage& weights, const Path& path,
                 const std::vector<Family>& families) {
  Diagnostics diagnostics;
  const auto floats = parse_problem(size, diagnostics);
  const Problem stored = with_weights(*floats, weights);
  RunOptions options;
  options.sampling = {31, 3, false};
  options.sampling.other_bytes = bytes_of_caches(this_host());  // weights come from memory, as in a network
  const auto laboratory = Laboratory::open(stored, availability, options, {}, diagnostics);
  if (!laboratory) return std::printf("%s\n", diagnostics.text().c_str()), false;
  std::vector<Runnable> programs;
  const auto add = [&](const Problem& problem, const Path& chosen) {
    const auto made = generate(problem, chosen, diagnostics);
    Outcome failure;
    const auto runnable = made ? laboratory->compile(made->text, {}, failure) : std::nullopt;
    if (!runnable) return std::printf("%s %s\n", diagnostics.text().c_str(), failure.message.c_str()), false;
    return programs.push_back(*runnable), true;
  };
  bool all = add(*floats, path);
  for (const Family family : families) all = all && add(stored, of_family(path, family));
  if (!all) return false;
  const std::vector<Outcome> outcomes = laboratory->run(programs, options, {});
  for (std::size_t i = 1; i < outcomes.size(); ++i) {
    if (!outcomes[i].ran()) return std::printf("%s\n", outcomes[i].message.c_str()), false;
    std::printf("%-24s weights %s, %s: %.3f x float32 (%s, %d samples)%s\n", size, flyte::text(weights).c_str(),
                std::string(traits(families[i - 1]).key).c_str(), 1 / outcomes[i].ratio,
                outcomes[i].gated ? "gated" : "minimum", outcomes[i].samples, weights.bytes == 2 ? ", goal .97" : "");
  }
  return true;
}

void convolutions(Family family) {
  const Availability availability = find_availability();
  if (!availability.available()) return void(std::printf("%s\n", availability.reason.c_str()));
  std::vector<Family> permuting{family};
  if (family == Family::avx512 && runs_here(Family::avx512vbmi)) permuting.push_back(Family::avx512vbmi);
  for (const char* size : {"14x14x256 -> 256, 3x3", "28x28x128 -> 128, 3x3", "7x7x512 -> 512, 3x3"}) {
    Diagnostics diagnostics;
    const auto path = best_estimated(*parse_problem(size, diagnostics), family);
    if (!path) continue;
    const bool fine =
        convolution(availability, size, {2}, *path, {family}) && convolution(availability, size, {3}, *path, permuting);
    if (!fine) return;
  }
}

}  // namespace
}  // namespace convscope::bench

int main() {
  const convscope::cpu::Family family = convscope::bench::widest();
  if (!convscope::bench::streams(family)) std::printf("no compiler for the dot products\n");
  convscope::bench::convolutions(family);
}
