#include "core/network/network.h"

namespace convscope::network {

std::int64_t Layer::connections() const {
  std::int64_t count = 0;
  for (const auto& list : inputs) count += static_cast<std::int64_t>(list.size());
  return count;
}

std::int64_t Layer::macs() const {
  return connections() * kernel.height * kernel.width * out.size.height * out.size.width;
}

std::int64_t Layer::coefficients() const { return connections() * kernel.height * kernel.width + out.maps; }

std::int64_t Network::macs() const {
  std::int64_t count = 0;
  for (const Layer& layer : layers) count += layer.macs();
  return count;
}

}  // namespace convscope::network
