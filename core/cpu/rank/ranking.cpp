#include "core/cpu/rank/ranking.h"

#include <algorithm>
#include <set>

#include "core/base/cancellation.h"

namespace convscope::cpu {
namespace {

/// Mixes seed and number, so that neighbouring seeds draw nothing in common (SplitMix64).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15ULL + number * 0xbf58476d1ce4e5b9ULL + 0x94d049bb133111ebULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// A constant of the installation.
struct StandardWeights {
  StandardWeights() {
    Diagnostics diagnostics;
    if (const auto read = standard_weights(diagnostics)) weights = *read;
    if (diagnostics.has_errors()) refused = "the weights of the decision tree can't be read: " + diagnostics.text();
  }
  Weights weights;
  std::string refused;
};

const StandardWeights& known_weights() {
  static const StandardWeights known;
  return known;
}

Drawn draw_all(const target::PassRun& run, const Problem& problem, const CodeMachine& code, std::int64_t l2_bytes) {
  Drawn drawn;
  drawn.refused = known_weights().refused;
  if (!drawn.refused.empty()) return drawn;
  const TreeMachine machine = tree_machine(code, l2_bytes);
  std::set<std::uint64_t> known;
  Diagnostics diagnostics;
  for (int number = 0; number < code.ranked; ++number) {
    throw_if_stopped(run.stop);
    auto path = draw(problem, machine, known_weights().weights, Drawing::weighted,
                     mixed(static_cast<std::uint64_t>(code.seed), static_cast<std::uint64_t>(number)));
    if (!path || !known.insert(hash(*path)).second) continue;
    if (auto nest = describe(problem, *path, diagnostics)) drawn.paths.push_back({std::move(*path), std::move(*nest)});
  }
  if (drawn.paths.empty()) drawn.refused = "the decision tree has no path for it: " + diagnostics.text();
  return drawn;
}

constexpr target::Pass draw_pass{"cpu.draw", &draw_all};

Ranking rank_all(const target::PassRun& run, const target::Remembered<Drawn>& drawn, const CoreMachine& core,
                 const MemoryMachine& memory) {
  CpuMachine machine;
  static_cast<CoreMachine&>(machine) = core;
  static_cast<MemoryMachine&>(machine) = memory;
  Ranking ranking;
  for (const DrawnPath& each : drawn->paths) {
    throw_if_stopped(run.stop);
    ranking.best_first.push_back({ranking.best_first.size(), estimate(each.nest, machine)});
  }
  std::stable_sort(ranking.best_first.begin(), ranking.best_first.end(),
                   [](const RankedPath& a, const RankedPath& b) { return a.estimate.seconds < b.estimate.seconds; });
  return ranking;
}

constexpr target::Pass rank_pass{"cpu.rank", &rank_all};

}  // namespace

const Weights& drawing_weights() {
  return known_weights().weights;
}

TreeMachine tree_machine(const CodeMachine& code, std::int64_t l2_bytes) {
  TreeMachine machine;
  machine.families = {code.family};
  if (code.family == Family::avx512vbmi) machine.families.push_back(Family::avx512);
  // Half as wide vectors waste less of a short row, and cost nothing where units are that wide.
  if (has_512_bits(code.family)) machine.families.push_back(Family::avx2);
  machine.l2_bytes = l2_bytes;
  machine.threads = code.threads;
  machine.methods = code.methods;
  machine.accuracy.bound = usual_error;
  return machine;
}

target::Remembered<Drawn> draw_paths(const target::PassRun& run, const Problem& problem, const CodeMachine& code,
                                     std::int64_t l2_bytes) {
  return draw_pass(run, problem, code, l2_bytes);
}

target::Remembered<Ranking> rank_paths(const target::PassRun& run, const target::Remembered<Drawn>& drawn,
                                       const CpuMachine& machine) {
  return rank_pass(run, drawn, machine, machine);
}

}  // namespace convscope::cpu
