#include "core/explore/results/point_result.h"

namespace convscope::explore {
namespace {

template <typename Value>
Value value_at(const std::vector<artifact::FigureDescription>& descriptions, const std::vector<Value>& values,
               const artifact::FigureDescription* found) {
  const auto index = static_cast<std::size_t>(found - descriptions.data());
  return index < values.size() ? values[index] : Value{};
}

}  // namespace

Noted noted(const PointResult& result, const Outcomes& outcomes, std::string_view key) {
  if (result.status != PointStatus::done) return {};
  if (const auto* figure = artifact::find_figure(outcomes.figures, key))
    return value_at(outcomes.figures, result.total.values, figure);
  if (const auto* cost = artifact::find_figure(outcomes.costs, key))
    return {value_at(outcomes.costs, result.costs, cost)};
  return {};
}

}  // namespace convscope::explore
