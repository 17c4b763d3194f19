#pragma once
// Which layer of one run is which layer of another.

#include <string>
#include <vector>

#include "core/network/network.h"

namespace convscope::analysis {

/// By what a layer of a run is recognized in another run.
struct LayerIdentity {
  std::string name, operator_name;
  network::Shape in, out;
  network::Size kernel, stride{1, 1}, dilation{1, 1};
  int groups = 1;
  network::Space space = {};  ///< of more than two dimensions; its padding is left out
  bool operator==(const LayerIdentity&) const = default;

  /// Two dimensions of a kernel that no machine maps stand where others' do.
  void take_plane();
  /// True if both do the same work, whatever their names.
  bool same_shape(const LayerIdentity& other) const;
};

LayerIdentity identity_of(const network::Layer& layer);
std::vector<LayerIdentity> identities_of(const network::Network& network);

struct LayerMatch {
  enum class By { none, name, shape } by = By::none;
  int other = -1;           ///< index in the other run; -1 if it has no such layer
  bool same_shape = false;  ///< operator and shapes agree, so that figures are of the same work
};

struct LayerMatching {
  std::vector<LayerMatch> layers;  ///< one for each layer of this run
  std::vector<int> others;         ///< for each layer of the other run its layer here; -1 if there is none
  int matched = 0;                 ///< pairs
};

/// Pairs layers one to one. First those of the same name and operator, whatever their shapes; of names that occur more
/// than once the n-th with the n-th. Then, among the layers left over, those of the same operator and shapes, the n-th
/// here with the n-th there. Greedy: the number of pairs of each kind is the largest possible, but where networks share
/// names or repeat a shape nothing says that the pairs are those a person would choose. Takes n log n steps.
LayerMatching match_layers(const std::vector<LayerIdentity>& layers, const std::vector<LayerIdentity>& others);

}  // namespace convscope::analysis
