#include "core/cpu/network/choices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/cpu/estimate/estimate.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/stored/accepted_runs.h"
#include "core/cpu/stored/stored_peers.h"
#include "core/cpu/tree/tree.h"

namespace convscope::cpu {
namespace {

constexpr std::size_t most_runs = 5000;
constexpr int least_ranked = 400;

Layout of_tensor(Layout layout) {
  std::replace(layout.order.begin(), layout.order.end(), 'M', 'C');
  return layout;
}

void take(ProgramChoice choice, std::vector<ProgramChoice>& choices) {
  const auto same = std::find_if(choices.begin(), choices.end(), [&](const ProgramChoice& other) {
    return other.image == choice.image && other.output == choice.output;
  });
  if (same == choices.end())
    choices.push_back(std::move(choice));
  else if (choice.seconds < same->seconds)
    *same = std::move(choice);
}

/// Nothing for a path that isn't one of this version.
std::optional<Nest> nest_of(const Problem& problem, const Path& path) {
  Diagnostics ignored;
  auto nest = describe(problem, path, ignored);
  if (!nest || nest->image.blocked != 0 || nest->output.blocked != 0) return std::nullopt;
  return nest;
}

/// Runs of several programs in turn, where each finds caches that the others filled: as in a network.
bool in_turn(const Record& record) {
  return record.algorithm == "final" || record.algorithm == "compilers" || record.algorithm == beside_peers;
}

/// A path's fastest runs, in seconds; infinite where there is none.
struct Fastest {
  double alone = std::numeric_limits<double>::infinity(), in_turn = std::numeric_limits<double>::infinity();
  bool both() const { return std::isfinite(alone) && std::isfinite(in_turn); }
};
using FastestRuns = std::map<std::string, Fastest>;  ///< by path, as JSON

FastestRuns fastest_runs(const std::vector<Record>& records) {
  FastestRuns found;
  for (const Record& record : records) {
    Fastest& fastest = found[json(record.path)];
    double& seconds = in_turn(record) ? fastest.in_turn : fastest.alone;
    seconds = std::min(seconds, record.outcome.minimum);
  }
  return found;
}

/// What being alone gains: the middle one of all paths that ran both ways; 1 if none did.
double gain_of_being_alone(const FastestRuns& runs) {
  std::vector<double> gains;
  for (const auto& [path, fastest] : runs)
    if (fastest.both()) gains.push_back(std::max(1.0, fastest.in_turn / fastest.alone));
  if (gains.empty()) return 1;
  std::sort(gains.begin(), gains.end());
  return gains[gains.size() / 2];
}

/// What a network may run.
std::vector<Record> usable_runs(const Problem& problem, const Store& store, const std::string& host) {
  // A network's values are those of its rounded weights: transformed ones that are rounded make others.
  const bool transforms = problem.stored.weights.complete();
  const Acceptance acceptance(store, problem, host);
  std::vector<Record> usable;
  for (Record& record : store.runs(problem, most_runs)) {
    if (record.host != host || record.path.choices.empty() || !acceptance.accepts(record)) continue;
    if (!transforms && record.path.find("transform") != nullptr) continue;
    record.path = in_this_version(problem, record.path);
    usable.push_back(std::move(record));
  }
  return usable;
}

std::vector<ProgramChoice> measured_choices(const Problem& problem, const std::vector<Record>& records) {
  std::vector<ProgramChoice> choices;
  const FastestRuns runs = fastest_runs(records);
  const double gain = gain_of_being_alone(runs);
  for (const Record& record : records) {
    const bool turn = in_turn(record);
    if (!turn && std::isfinite(runs.at(json(record.path)).in_turn)) continue;
    if (const auto nest = nest_of(problem, record.path))
      take({record.path, nest->image, of_tensor(nest->output), record.outcome.minimum * (turn ? 1 : gain), true,
            record.outcome.compiler, record.outcome.flags},
           choices);
  }
  return choices;
}

}  // namespace

std::vector<ProgramChoice> choices_of(const Problem& problem, const Store& store, const std::string& host,
                                      const Machine& machine) {
  std::vector<ProgramChoice> choices = measured_choices(problem, usable_runs(problem, store, host));
  if (!choices.empty()) return choices;
  const bool transforms = problem.stored.weights.complete();
  TreeMachine tree = tree_machine(machine, machine.l2.bytes);
  if (!transforms) tree.methods = Methods::direct;
  for (int i = 0; i < std::max(machine.ranked, least_ranked); ++i) {
    const auto path = draw(problem, tree, drawing_weights(), Drawing::weighted,
                           static_cast<std::uint64_t>(machine.seed) * 1'000'003 + static_cast<std::uint64_t>(i));
    const auto nest = path ? nest_of(problem, *path) : std::nullopt;
    if (nest) take({*path, nest->image, of_tensor(nest->output), estimate(*nest, machine).seconds, false}, choices);
  }
  return choices;
}

}  // namespace convscope::cpu
