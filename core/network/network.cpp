#include "core/network/network.h"

#include <numeric>

namespace convscope::network {

std::vector<int> Layer::inputs_of(int map) const {
  if (!dense) return inputs[static_cast<std::size_t>(map)];
  const int per_group = in.maps / groups;
  const int first = map / (out.maps / groups) * per_group;
  std::vector<int> list(static_cast<std::size_t>(per_group));
  std::iota(list.begin(), list.end(), first);
  return list;
}

std::int64_t Layer::connections() const {
  if (dense) return std::int64_t{out.maps} * (in.maps / groups);
  std::int64_t count = 0;
  for (const auto& list : inputs) count += static_cast<std::int64_t>(list.size());
  return count;
}

std::int64_t Layer::macs() const {
  return connections() * kernel.height * kernel.width * out.size.height * out.size.width;
}

std::int64_t Layer::coefficients() const {
  const std::int64_t weights = connections() * kernel.height * kernel.width;
  return weights == 0 ? 0 : weights + out.maps;
}

std::int64_t Network::macs() const {
  std::int64_t count = 0;
  for (const Layer& layer : layers) count += layer.macs();
  return count;
}

}  // namespace convscope::network
