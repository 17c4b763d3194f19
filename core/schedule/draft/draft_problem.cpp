#include "core/schedule/draft/draft_problem.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/integers.h"
#include "core/base/key.h"
#include "core/schedule/bounds/bounds.h"
#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/problem/alternatives.h"
#include "core/schedule/problem/malformed.h"

namespace convscope::schedule {
namespace {

std::uint64_t hash_of(const Problem& problem) {
  KeyBuilder key;
  for (const Resource& resource : problem.resources)
    key.add(std::string_view(resource.name)).add(resource.capacity).add(resource.any_of);
  for (const Operation& operation : problem.operations) {
    key.add(std::string_view(operation.name)).add(operation.uses.size());
    for (const ResourceUse& use : operation.uses) key.add(use.resource).add(use.offset);
  }
  for (const Dependence& d : problem.dependences) key.add(d.from).add(d.to).add(d.distance).add(d.iterations);
  return hash64(key.take());
}

// What would make any answer to `make` a failure.
std::optional<Failure> unfit(const Problem& problem) {
  if (problem.operations.empty()) return Failure{FailureKind::malformed, "there is no operation to place"};
  if (problem.operations.size() > DraftProblem::most_operations)
    return Failure{FailureKind::malformed, fmt::format("{} operations; {} may be scheduled by hand",
                                                       problem.operations.size(), DraftProblem::most_operations)};
  if (auto failure = malformed(problem)) return failure;
  return std::nullopt;
}

}  // namespace

DraftProblem::DraftProblem(Problem problem, Problem plain)
    : problem_(std::move(problem)),
      plain_(std::move(plain)),
      hash_(hash_of(problem_)),
      incoming_(problem_.operations.size()),
      outgoing_(problem_.operations.size()) {
  for (std::size_t i = 0; i < problem_.dependences.size(); ++i) {
    outgoing_[index(problem_.dependences[i].from)].push_back(static_cast<int>(i));
    incoming_[index(problem_.dependences[i].to)].push_back(static_cast<int>(i));
  }
  tie();
  find_bound();
}

std::variant<std::shared_ptr<const DraftProblem>, Failure> DraftProblem::make(Problem problem) {
  if (auto failure = unfit(problem)) return *std::move(failure);
  Problem plain = problem;
  if (has_choices(problem)) {
    auto without = without_choices(problem);
    if (auto* failure = std::get_if<Failure>(&without)) return std::move(*failure);
    plain = std::move(std::get_if<PlainProblem>(&without)->problem);
  }
  if (auto failure = infeasible_operation(plain)) return *std::move(failure);
  if (auto failure = infeasible_circle(plain)) return *std::move(failure);
  return std::shared_ptr<const DraftProblem>(new DraftProblem(std::move(problem), std::move(plain)));
}

// Pairs that bound each other within one iteration to a single distance, joined from the lowest operation on.
void DraftProblem::tie() {
  std::map<std::pair<int, int>, std::int64_t> longest;  // of the dependences from one operation to another
  for (const Dependence& d : problem_.dependences) {
    if (d.iterations != 0 || d.from == d.to) continue;
    const auto [known, is_new] = longest.try_emplace({d.from, d.to}, d.distance);
    if (!is_new) known->second = std::max<std::int64_t>(known->second, d.distance);
  }
  std::vector<std::vector<std::pair<int, std::int64_t>>> tied(problem_.operations.size());
  for (const auto& [ends, distance] : longest) {
    const auto back = longest.find({ends.second, ends.first});
    if (back != longest.end() && back->second == -distance) tied[index(ends.first)].emplace_back(ends.second, distance);
  }
  group_of_.assign(problem_.operations.size(), -1);
  std::vector<std::int64_t> offset(problem_.operations.size(), 0);
  for (int first = 0; first < operations(); ++first) {
    if (group_of_[index(first)] >= 0) continue;
    std::vector<int> members{first};
    group_of_[index(first)] = static_cast<int>(groups_.size());
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const auto& [other, distance] : tied[index(members[i])]) {
        if (group_of_[index(other)] >= 0) continue;
        group_of_[index(other)] = static_cast<int>(groups_.size());
        offset[index(other)] = offset[index(members[i])] + distance;
        members.push_back(other);
      }
    std::sort(members.begin(), members.end());
    TiedGroup group{members, {}};
    for (const int member : members) group.offsets.push_back(offset[index(member)]);
    groups_.push_back(std::move(group));
  }
}

void DraftProblem::find_bound() {
  int resource = -1;
  bound_ = std::max<std::int64_t>(1, resource_bound(plain_, &resource));
  if (resource >= 0)
    bound_text_ =
        fmt::format("'{}' is used in {} cycles of each iteration", plain_.resources[at(resource)].name, bound_);
  std::vector<int> circle;
  const std::int64_t by_circles = recurrence_bound(Graph(plain_), bound_, circle);
  if (by_circles <= bound_ || circle.empty()) return;
  bound_ = by_circles;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < circle.size() && i < 8; ++i) names.push_back(problem_.operations[at(circle[i])].name);
  bound_text_ = fmt::format("the circle of '{}'{} takes that long", fmt::join(names, "', '"),
                            circle.size() > names.size() ? " and others" : "");
}

}  // namespace convscope::schedule
