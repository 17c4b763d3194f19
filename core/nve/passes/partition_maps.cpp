#include "core/nve/passes/partition_maps.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "core/base/key.h"

namespace convscope::nve {
namespace {

int common_inputs(const std::vector<int>& a, const std::vector<int>& b) {
  int common = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++common;
    const bool a_first = *i <= *j, b_first = *j <= *i;
    i += a_first, j += b_first;
  }
  return common;
}

// Maps one after the other, each the most like the one before.
std::vector<int> neighbours(std::vector<std::vector<int>> connections) {
  for (auto& inputs : connections) std::sort(inputs.begin(), inputs.end());
  std::vector<int> left(connections.size()), order;
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    auto best = left.begin();
    if (!order.empty()) {
      const auto& last = connections[static_cast<std::size_t>(order.back())];
      std::pair<int, int> least{};
      for (auto candidate = left.begin(); candidate != left.end(); ++candidate) {
        const auto& inputs = connections[static_cast<std::size_t>(*candidate)];
        const int common = common_inputs(last, inputs);
        const std::pair<int, int> distance{static_cast<int>(last.size() + inputs.size()) - 2 * common, -common};
        if (candidate == left.begin() || distance < least) least = distance, best = candidate;
        if (distance.first == 0) break;
      }
    }
    order.push_back(*best);
    left.erase(best);
  }
  return order;
}

// Whether groups of one size all have one structure: every map with the same inputs, or each with its own.
bool is_uniform(const std::vector<std::vector<int>>& connections) {
  const auto& first = connections.front();
  if (std::all_of(connections.begin(), connections.end(), [&](const auto& inputs) { return inputs == first; }))
    return true;
  std::vector<int> all;
  for (const auto& inputs : connections) {
    if (inputs.size() != first.size()) return false;
    all.insert(all.end(), inputs.begin(), inputs.end());
  }
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

std::vector<int> as_they_come(std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

class Partitioner {
 public:
  Partitioner(const std::vector<std::vector<int>>& connections, int largest, const StructureCost& cost)
      : connections_(connections),
        uniform_(is_uniform(connections)),
        order_(uniform_ ? as_they_come(connections.size()) : neighbours(connections)),
        largest_(largest),
        cost_(cost) {}

  Partition partition() {
    const std::size_t count = order_.size();
    std::vector<std::optional<ProgramCost>> least(count + 1);
    std::vector<std::size_t> from(count + 1, 0);
    least[0] = ProgramCost{};
    for (std::size_t end = 1; end <= count; ++end)
      for (std::size_t size = 1; size <= std::min(end, static_cast<std::size_t>(largest_)); ++size) {
        const std::size_t begin = end - size;
        const auto group = cost(begin, end);
        if (!group) break;  // a larger one doesn't fit either
        if (!least[begin]) continue;
        const ProgramCost sum = *least[begin] + *group;
        if (!least[end] || sum < *least[end]) least[end] = sum, from[end] = begin;
      }
    return cut(least.back(), from);
  }

 private:
  std::vector<int> maps(std::size_t begin, std::size_t end) const {
    std::vector<int> result(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                            order_.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(result.begin(), result.end());
    return result;
  }

  std::optional<ProgramCost> cost(std::size_t begin, std::size_t end) {
    if (uniform_ && begin > 0) return cost(0, end - begin);
    if (uniform_ && end < of_size_.size() && of_size_[end]) return *of_size_[end];
    const MapGroup group = make_group(connections_, maps(begin, end));
    std::string key = KeyBuilder().add(group.structure).take();
    const auto [known, is_new] = costs_.try_emplace(std::move(key));
    if (is_new) known->second = cost_(group.structure);
    if (uniform_) {
      of_size_.resize(std::max(of_size_.size(), end + 1));
      of_size_[end] = known->second;
    }
    return known->second;
  }

  Partition cut(const std::optional<ProgramCost>& cost, const std::vector<std::size_t>& from) const {
    Partition result;
    if (!cost) return result;
    result.cost = *cost;
    for (std::size_t end = order_.size(); end > 0; end = from[end])
      result.groups.push_back(make_group(connections_, maps(from[end], end)));
    std::reverse(result.groups.begin(), result.groups.end());
    return result;
  }

  const std::vector<std::vector<int>>& connections_;
  bool uniform_;
  std::vector<int> order_;
  int largest_;
  std::vector<std::optional<std::optional<ProgramCost>>> of_size_;  // where all groups of a size are alike
  const StructureCost& cost_;
  std::map<std::string, std::optional<ProgramCost>> costs_;
};

}  // namespace

Partition partition_maps(const std::vector<std::vector<int>>& connections, int largest, const StructureCost& cost) {
  return Partitioner(connections, largest, cost).partition();
}

}  // namespace convscope::nve
