#include "core/schedule/problem/alternatives.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/integers.h"

namespace convscope::schedule {
namespace {

using Set = std::vector<int>;  // of resources, ascending

Set alternatives(const Problem& problem, int resource) {
  Set set = problem.resources[at(resource)].any_of;
  if (set.empty()) return {resource};
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

bool within(const Set& part, const Set& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

bool meet(const Set& a, const Set& b) {
  return std::any_of(a.begin(), a.end(), [&](int i) { return std::binary_search(b.begin(), b.end(), i); });
}

Set joined(const Set& a, const Set& b) {
  Set result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// Unions of choices that hang together; others say nothing that their parts don't say. Empty if there are too many.
std::vector<Set> connected_unions(const std::set<Set>& choices) {
  std::set<Set> known(choices.begin(), choices.end());
  std::vector<Set> result(choices.begin(), choices.end());
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const Set& choice : choices) {
      if (!meet(result[i], choice) || within(choice, result[i])) continue;
      Set both = joined(result[i], choice);
      if (known.insert(both).second) result.push_back(std::move(both));
    }
    if (result.size() > most_sets) return {};
  }
  return result;
}

Resource as_resource(const Problem& problem, const Set& set) {
  Resource result;
  std::int64_t capacity = 0;
  for (const int member : set) {
    result.name += (result.name.empty() ? "" : " or ") + problem.resources[at(member)].name;
    capacity += problem.resources[at(member)].capacity;
  }
  result.capacity = static_cast<int>(std::min<std::int64_t>(capacity, std::numeric_limits<int>::max()));
  return result;
}

}  // namespace

bool has_choices(const Problem& problem) {
  return std::any_of(problem.resources.begin(), problem.resources.end(), [](const auto& r) { return r.is_choice(); });
}

std::variant<PlainProblem, Failure> without_choices(const Problem& problem) {
  PlainProblem plain{{problem.resources, problem.operations, problem.dependences}, {}};
  std::set<Set> choices;
  for (std::size_t i = 0; i < problem.resources.size(); ++i) {
    const Set set = alternatives(problem, static_cast<int>(i));
    if (set.size() > 1) choices.insert(set);
    plain.problem.resources[i].any_of.clear();
    plain.members.push_back(set);
  }
  const std::vector<Set> sets = connected_unions(choices);
  if (sets.empty() && !choices.empty())
    return Failure{FailureKind::malformed,
                   fmt::format("{} choices of resources overlap in more than {} ways", choices.size(), most_sets)};
  std::vector<std::vector<int>> counted(problem.resources.size());  // resources that a use of each counts for
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (plain.members[i].size() == 1) counted[i].push_back(plain.members[i].front());
    for (std::size_t s = 0; s < sets.size(); ++s)
      if (within(plain.members[i], sets[s])) counted[i].push_back(static_cast<int>(problem.resources.size() + s));
  }
  for (const Set& set : sets) {
    plain.problem.resources.push_back(as_resource(problem, set));
    plain.members.push_back(set);
  }
  for (Operation& operation : plain.problem.operations) {
    const std::vector<ResourceUse> uses = std::exchange(operation.uses, {});
    for (const ResourceUse& use : uses)
      for (const int resource : counted[at(use.resource)]) operation.uses.push_back({resource, use.offset});
  }
  return plain;
}

namespace {

struct Use {
  int operation = 0;
  std::size_t index = 0;
};

// Augmenting paths over the uses of one cycle (Kuhn): a use moves to another of its resources to make room.
class CycleChoice {
 public:
  CycleChoice(const Problem& problem, const std::vector<Use>& uses, std::vector<std::vector<int>>& chosen)
      : problem_(problem), uses_(uses), chosen_(chosen) {}

  bool run() {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      asked_.clear();
      if (!seat(i)) return false;
    }
    return true;
  }

 private:
  bool seat(std::size_t use) {
    const int resource = problem_.operations[at(uses_[use].operation)].uses[uses_[use].index].resource;
    for (const int option : alternatives(problem_, resource)) {
      if (!asked_.insert(option).second) continue;
      auto& seated = seated_[option];
      if (static_cast<int>(seated.size()) >= problem_.resources[at(option)].capacity) {
        const auto leaver = std::find_if(seated.begin(), seated.end(), [&](std::size_t other) { return seat(other); });
        if (leaver == seated.end()) continue;
        seated.erase(leaver);
      }
      seated.push_back(use);
      chosen_[at(uses_[use].operation)][uses_[use].index] = option;
      return true;
    }
    return false;
  }

  const Problem& problem_;
  const std::vector<Use>& uses_;
  std::vector<std::vector<int>>& chosen_;
  std::map<int, std::vector<std::size_t>> seated_;  // uses on each resource
  std::set<int> asked_;
};

}  // namespace

std::vector<std::vector<int>> chosen_resources(const Problem& problem, const Schedule& schedule) {
  const std::int64_t interval = schedule.initiation_interval;
  std::map<std::int64_t, std::vector<Use>> by_row;
  std::vector<std::vector<int>> chosen(problem.operations.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& uses = problem.operations[i].uses;
    chosen[i].resize(uses.size());
    for (std::size_t u = 0; u < uses.size(); ++u) {
      const std::int64_t cycle = schedule.cycles[i] + uses[u].offset;
      by_row[interval == 0 ? cycle : (cycle % interval + interval) % interval].push_back({static_cast<int>(i), u});
    }
  }
  for (const auto& [row, uses] : by_row)
    if (!CycleChoice(problem, uses, chosen).run()) return {};
  return chosen;
}

}  // namespace convscope::schedule
