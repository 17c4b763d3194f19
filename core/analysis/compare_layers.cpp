#include "core/analysis/compare_layers.h"

#include <map>
#include <tuple>
#include <utility>

namespace convscope::analysis {
namespace {

auto shape_key(const LayerIdentity& layer) {
  return std::make_tuple(layer.operator_name, layer.in.maps, layer.in.size.height, layer.in.size.width, layer.out.maps,
                         layer.out.size.height, layer.out.size.width, layer.kernel.height, layer.kernel.width,
                         layer.stride.height, layer.stride.width, layer.dilation.height, layer.dilation.width,
                         layer.groups, layer.space.in, layer.space.out, layer.space.kernel, layer.space.stride,
                         layer.space.dilation);
}

auto name_key(const LayerIdentity& layer) {
  return std::make_pair(layer.name, layer.operator_name);
}

/// Pairs what is still single, the n-th of a key here with the n-th of it there.
template <typename Key>
void pair_by(Key key, LayerMatch::By by, const std::vector<LayerIdentity>& layers,
             const std::vector<LayerIdentity>& others, LayerMatching& matching) {
  std::multimap<decltype(key(layers.front())), int> single;
  for (std::size_t other = 0; other < others.size(); ++other)
    if (matching.others[other] < 0) single.emplace(key(others[other]), static_cast<int>(other));
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    LayerMatch& match = matching.layers[layer];
    if (match.other >= 0) continue;
    const auto first = single.find(key(layers[layer]));
    if (first == single.end()) continue;
    // Equal keys stand in the order of their insertion, and find() may give any of them.
    const auto next = single.lower_bound(first->first);
    match = {by, next->second, layers[layer].same_shape(others[static_cast<std::size_t>(next->second)])};
    matching.others[static_cast<std::size_t>(next->second)] = static_cast<int>(layer);
    ++matching.matched;
    single.erase(next);
  }
}

}  // namespace

bool LayerIdentity::same_shape(const LayerIdentity& other) const {
  return shape_key(*this) == shape_key(other);
}

LayerIdentity identity_of(const network::Layer& layer) {
  LayerIdentity identity{layer.name,   layer.operator_name, layer.in,     layer.out,  layer.kernel,
                         layer.stride, layer.dilation,      layer.groups, layer.space};
  identity.space.padding.clear();
  identity.take_plane();
  return identity;
}

void LayerIdentity::take_plane() {
  const auto take = [](std::vector<int>& sizes, network::Size& size) {
    if (sizes.size() != 2) return;
    size = {sizes[0], sizes[1]};
    sizes.clear();
  };
  take(space.kernel, kernel);
  take(space.stride, stride);
  take(space.dilation, dilation);
}

std::vector<LayerIdentity> identities_of(const network::Network& network) {
  std::vector<LayerIdentity> identities;
  identities.reserve(network.layers.size());
  for (const network::Layer& layer : network.layers) identities.push_back(identity_of(layer));
  return identities;
}

LayerMatching match_layers(const std::vector<LayerIdentity>& layers, const std::vector<LayerIdentity>& others) {
  LayerMatching matching;
  matching.layers.resize(layers.size());
  matching.others.assign(others.size(), -1);
  pair_by(name_key, LayerMatch::By::name, layers, others, matching);
  pair_by(shape_key, LayerMatch::By::shape, layers, others, matching);
  return matching;
}

}  // namespace convscope::analysis
