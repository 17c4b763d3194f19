#include "core/network/network.h"

#include <numeric>
#include <string>

namespace convscope::network {
namespace {

std::vector<int> dimensions_of(const Shape& shape, const std::vector<int>& space) {
  std::vector<int> dimensions{shape.maps};
  if (space.empty())
    dimensions.insert(dimensions.end(), {shape.size.height, shape.size.width});
  else
    dimensions.insert(dimensions.end(), space.begin(), space.end());
  return dimensions;
}

}  // namespace

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
  return connections() * kernel.height * kernel.width * out.size.height * out.size.width + other.macs;
}

std::int64_t Layer::coefficients() const {
  const std::int64_t weights = connections() * kernel.height * kernel.width + other.weights;
  return weights == 0 ? 0 : weights + out.maps;
}

std::vector<int> Layer::in_dimensions() const {
  return dimensions_of(in, space.in);
}

std::vector<int> Layer::out_dimensions() const {
  return dimensions_of(out, space.out);
}

std::string Layer::why_no_kernel() const {
  if (kernel.height == 0 && !other.known) return "its shape is not known; stating the input size may help";
  if (operator_name == "ConvTranspose") return "a transposed convolution spreads its inputs";
  if (kernel.height > 0) return {};
  if (operator_name == "DeformConv") return "a deformable convolution reads between pixels";
  if (space.kernel.size() > 2) return "it convolves over " + std::to_string(space.kernel.size()) + " dimensions";
  if (other.macs == 0) return {};
  return other.weights > 0 ? "it is no convolution over rows and columns" : "it multiplies computed tensors";
}

int Network::unknown_layers() const {
  int count = 0;
  for (const Layer& layer : layers) count += layer.macs_known() ? 0 : 1;
  return count;
}

std::int64_t Network::macs() const {
  std::int64_t count = 0;
  for (const Layer& layer : layers) count += layer.macs();
  return count;
}

}  // namespace convscope::network
