#include "core/nve/passes/fuse_maps.h"

#include <algorithm>
#include <climits>

namespace convscope::nve {
namespace {

// Membership of the inputs of a group, for constant-time tests.
class InputSet {
 public:
  explicit InputSet(const MapGroup& group)
      : members_(1 + static_cast<std::size_t>(*std::max_element(group.inputs.begin(), group.inputs.end()))),
        size_(static_cast<int>(group.inputs.size())) {
    for (int input : group.inputs) members_[static_cast<std::size_t>(input)] = true;
  }
  int size() const { return size_; }
  int shared_with(const std::vector<int>& inputs) const {
    return static_cast<int>(std::count_if(inputs.begin(), inputs.end(), [this](int input) {
      return static_cast<std::size_t>(input) < members_.size() && members_[static_cast<std::size_t>(input)];
    }));
  }

 private:
  std::vector<bool> members_;
  int size_;
};

// Position in `left` of the map to combine with, or left.size() if none shares an input.
std::size_t best_candidate(const InputSet& inputs, const std::vector<int>& left,
                           const std::vector<std::vector<int>>& connections) {
  int least_difference = INT_MAX, most_shared = 0;
  std::size_t best = left.size();
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto& candidate = connections[static_cast<std::size_t>(left[i])];
    const int common = inputs.shared_with(candidate);
    const int difference = inputs.size() + static_cast<int>(candidate.size()) - 2 * common;
    if (common == 0 || difference > least_difference) continue;
    if (difference == least_difference && common <= most_shared) continue;
    least_difference = difference, most_shared = common, best = i;
    if (difference == 0) break;  // nothing differs less, and every such map shares as much
  }
  return best;
}

int take(std::vector<int>& list, std::size_t position) {
  const int value = list[position];
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(position));
  return value;
}

}  // namespace

MapGroup make_group(const std::vector<std::vector<int>>& connections, const std::vector<int>& maps) {
  MapGroup group{maps, {}, {}, 1};
  int last = -1;
  for (int map : maps)
    for (int input : connections[static_cast<std::size_t>(map)]) last = std::max(last, input);
  std::vector<int> positions(static_cast<std::size_t>(last) + 1, -1);  // of an input map among the group's
  const auto position_of = [&](int input) {
    int& position = positions[static_cast<std::size_t>(input)];
    if (position < 0) {
      position = static_cast<int>(group.inputs.size());
      group.inputs.push_back(input);
    }
    return position;
  };
  group.structure.maps.reserve(maps.size());
  for (int map : maps) {
    const auto& inputs = connections[static_cast<std::size_t>(map)];
    auto& of_map = group.structure.maps.emplace_back();
    of_map.reserve(inputs.size());
    for (int input : inputs) of_map.push_back(position_of(input));
  }
  group.structure.inputs = static_cast<int>(group.inputs.size());
  return group;
}

std::vector<MapGroup> single_maps(const std::vector<std::vector<int>>& connections) {
  std::vector<MapGroup> groups;
  for (int map = 0; map < static_cast<int>(connections.size()); ++map) groups.push_back(make_group(connections, {map}));
  return groups;
}

std::vector<MapGroup> fuse_maps(const std::vector<std::vector<int>>& connections, const GroupSize& size) {
  std::vector<int> left;
  std::vector<int> single_size;
  for (const MapGroup& group : single_maps(connections)) {
    left.push_back(group.maps.front());
    single_size.push_back(size(group));
  }
  std::vector<MapGroup> result;
  while (!left.empty()) {
    const auto largest = std::max_element(left.begin(), left.end(), [&](int a, int b) {
      return single_size[static_cast<std::size_t>(a)] < single_size[static_cast<std::size_t>(b)];
    });
    MapGroup fused = make_group(connections, {take(left, static_cast<std::size_t>(largest - left.begin()))});
    // One that alone doesn't fit comes to fit with no other.
    while (!left.empty() && single_size[static_cast<std::size_t>(fused.maps.front())] != INT_MAX) {
      const std::size_t candidate = best_candidate(InputSet(fused), left, connections);
      if (candidate == left.size()) break;
      std::vector<int> maps = fused.maps;
      maps.push_back(left[candidate]);
      MapGroup combined = make_group(connections, maps);
      if (size(combined) == INT_MAX) break;
      take(left, candidate);
      fused = std::move(combined);
    }
    result.push_back(std::move(fused));
  }
  return result;
}

}  // namespace convscope::nve
