#include "core/cpu/network/choices.h"

#include <algorithm>

#include "core/cpu/estimate/estimate.h"
#include "core/cpu/rank/ranking.h"
#include "core/cpu/stored/accepted_runs.h"
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

}  // namespace

std::vector<ProgramChoice> choices_of(const Problem& problem, const Store& store, const std::string& host,
                                      const Machine& machine) {
  std::vector<ProgramChoice> choices;
  // A network's values are those of its rounded weights: transformed ones that are rounded make others.
  const bool transforms = problem.stored.weights.complete();
  const Acceptance acceptance(store, problem, host);
  for (const Record& record : store.runs(problem, most_runs)) {
    if (record.host != host || record.path.choices.empty() || !acceptance.accepts(record)) continue;
    if (!transforms && record.path.find("transform") != nullptr) continue;
    const Path path = in_this_version(problem, record.path);
    if (const auto nest = nest_of(problem, path))
      take({path, nest->image, of_tensor(nest->output), record.outcome.minimum, true, record.outcome.compiler,
            record.outcome.flags},
           choices);
  }
  if (!choices.empty()) return choices;
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
