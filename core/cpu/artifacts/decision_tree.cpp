#include "core/cpu/artifacts/decision_tree.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace convscope::cpu {
namespace {

using artifact::DecisionLevel;
using artifact::DecisionTree;
using artifact::TriedPath;

constexpr std::size_t most_tried = 4000;

DecisionLevel level_of(const Choice& choice, const std::vector<Option>& options) {
  DecisionLevel level{choice.level, {}, -1};
  const double all = std::accumulate(options.begin(), options.end(), 0.0,
                                     [](double sum, const Option& option) { return sum + option.weight; });
  for (const Option& option : options) {
    if (option.value == choice.value) level.taken = static_cast<int>(level.values.size());
    level.values.push_back({option.value, all > 0 ? option.weight / all : 0, option.rejected});
  }
  if (level.taken < 0) {  // somebody else's path, from a tree with other values
    level.taken = static_cast<int>(level.values.size());
    level.values.push_back({choice.value, 0, {}});
  }
  return level;
}

std::vector<DecisionLevel> levels_of(const ChosenProgram& program) {
  const TreeMachine machine = tree_machine(program.machine, program.machine.l2.bytes);
  std::vector<DecisionLevel> levels;
  Path so_far;
  for (const Choice& choice : program.path.choices) {
    levels.push_back(level_of(choice, options(program.problem, machine, drawing_weights(), so_far)));
    so_far.choices.push_back(choice);
  }
  return levels;
}

/// "F(4,3) 2D, points 0 1 -1 2 -2".
std::string kind_of(const Problem& problem, const Path& path) {
  const std::string* outputs = path.find("transform");
  const std::string* points = path.find("points");
  if (outputs == nullptr || points == nullptr) return "direct";
  const bool both = *path.find("microkernel") == "winograd_2d";
  std::string text = fmt::format("F({},{}) {}D, points {}", *outputs, problem.kernel_width, both ? 2 : 1, *points);
  std::replace(text.begin() + static_cast<std::ptrdiff_t>(text.find("points")), text.end(), ',', ' ');
  return text;
}

/// Channels whose products are summed before the sum is put away.
int chain_of(const Problem& problem, const Path& path) {
  const std::string* block = path.find("block c");
  const auto factor = block != nullptr ? parse_integer<int>(*block) : std::nullopt;
  return factor ? *factor : problem.group_channels();
}

/// Estimates of paths that were drawn, in that order; runs put their times to them, or stand behind.
class Tried {
 public:
  explicit Tried(const ChosenProgram& program) : program_(program) {}

  std::vector<TriedPath> collect() {
    add_drawn();
    for (const StoredTry& each : program_.tries) add_run(each);
    if (!at_.contains(hash(program_.path))) add(program_.path, program_.estimate.seconds);
    for (std::size_t i = 0; i < hashes_.size(); ++i) tried_[i].chosen = hashes_[i] == hash(program_.path);
    return std::move(tried_);
  }

 private:
  TriedPath& add(const Path& path, double seconds) {
    hashes_.push_back(hash(path));
    at_[hashes_.back()] = tried_.size();
    return tried_.emplace_back(TriedPath{json(path),
                                         {seconds, "s", Origin::estimate},
                                         {},
                                         {},
                                         false,
                                         kind_of(program_.problem, path),
                                         chain_of(program_.problem, path)});
  }

  void add_drawn() {
    if (!program_.drawn || !program_.ranking) return;
    std::vector<double> seconds(program_.drawn->paths.size());
    for (const RankedPath& each : program_.ranking->best_first) seconds[each.drawn] = each.estimate.seconds;
    for (std::size_t i = 0; i < std::min(seconds.size(), most_tried); ++i)
      add(program_.drawn->paths[i].path, seconds[i]);
  }

  void add_run(const StoredTry& run) {
    const auto known = at_.find(hash(run.path));
    if (known == at_.end()) {
      Diagnostics ignored;  // a path of another version has no nest here
      const auto nest = describe(program_.problem, run.path, ignored);
      if (!nest) return;
      add(run.path, estimate(*nest, program_.machine).seconds);
    }
    TriedPath& tried = tried_[at_.at(hash(run.path))];
    tried.outcome = run.outcome;
    if (run.outcome.empty()) tried.measured = Quantity{run.seconds, "s", Origin::measured};
    if (run.error && *run.error > 0) tried.error = Quantity{*run.error, "", Origin::measured};
  }

  const ChosenProgram& program_;
  std::vector<TriedPath> tried_;
  std::vector<std::uint64_t> hashes_;
  std::map<std::uint64_t, std::size_t> at_;
};

}  // namespace

std::shared_ptr<const DecisionTree> make_decision_tree(const ChosenProgram& program) {
  return std::make_shared<const DecisionTree>(
      DecisionTree{levels_of(program), Tried(program).collect(), program.error_bound});
}

}  // namespace convscope::cpu
