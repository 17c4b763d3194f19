#include "core/explore/results/front.h"

#include <algorithm>
#include <cmath>

namespace convscope::explore {
namespace {

bool before(const Front::Member& a, const Front::Member& b) {
  return a.values != b.values ? a.values < b.values : a.point < b.point;
}

}  // namespace

bool dominates(const Vector& a, const Vector& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

bool Front::add(std::uint64_t point, Vector values) {
  Member member{point, std::move(values)};
  // Whatever dominates it is no later in lexicographic order; what it dominates is no earlier.
  const auto place = std::lower_bound(members_.begin(), members_.end(), member, before);
  const auto dominating = [&](const Member& other) { return dominates(other.values, member.values); };
  if (std::any_of(members_.begin(), place, dominating)) return false;
  const auto dominated = [&](const Member& other) { return dominates(member.values, other.values); };
  members_.erase(std::remove_if(place, members_.end(), dominated), members_.end());
  members_.insert(std::lower_bound(members_.begin(), members_.end(), member, before), std::move(member));
  return true;
}

std::optional<Vector> objective_vector(const PointResult& result, const Space& space) {
  if (result.status != PointStatus::done || !artifact::reaches(result.total.coverage, space.minimum_coverage))
    return std::nullopt;
  Vector vector;
  for (const Objective& objective : space.objectives) {
    const auto value = noted(result, space.outcomes, objective.key).value;
    if (!value || !std::isfinite(*value)) return std::nullopt;
    vector.push_back(objective.maximize ? -*value : *value);
  }
  return vector;
}

}  // namespace convscope::explore
