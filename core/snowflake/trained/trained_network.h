#pragma once
// A network that has values, as its layers are mapped: real weights, and which real numbers words stand for.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/reference/executor.h"
#include "core/snowflake/host/layout.h"
#include "core/snowflake/parse/parse.h"
#include "core/snowflake/trained/layer_weights.h"

namespace convscope::snowflake {

/// Word w stands for w * 2^-fraction * unit. A unit other than 1 makes the largest word the limit that the network sets
/// to the maps (Clip): words saturate there.
struct MapsFormat {
  int fraction = 8;
  double unit = 1;

  std::int16_t word(double value) const;
  double value(std::int16_t word) const;
};

using TensorValues = std::map<int, std::vector<double>>;  ///< by tensor of the graph

/// The same parsed network whose fractions are in `layers`. Immutable but for what it remembers; thread safe.
class TrainedNetwork {
 public:
  /// `formats`: by region of `parsed`.
  TrainedNetwork(std::shared_ptr<const network::Graph> graph, const ParsedNetwork& parsed,
                 std::vector<LayerNodes> nodes, std::vector<MapsFormat> formats);

  const network::Graph& graph() const { return *graph_; }
  const ParsedLayer& layer(int position) const { return layers_[static_cast<std::size_t>(position)]; }
  const MapsFormat& format(const MapsPlace& maps) const { return formats_[static_cast<std::size_t>(maps.region)]; }

  /// Words for the layer's weights and biases; nothing where the network has no values for it.
  std::optional<LayerParameters> parameters(int position) const;
  /// What layers read and write, as the float executor computes it; nothing and its errors if it can't.
  std::optional<TensorValues> values(const reference::FloatTensors& inputs, Diagnostics& diagnostics,
                                     const std::stop_token& stop) const;
  /// For seeded inputs; those of the last seed are remembered, as one layer after the other asks for them.
  std::shared_ptr<const TensorValues> seeded_values(std::uint64_t seed, Diagnostics& diagnostics,
                                                    const std::stop_token& stop) const;

 private:
  std::shared_ptr<const TensorValues> remembered_values(std::uint64_t seed) const;

  std::shared_ptr<const network::Graph> graph_;
  std::vector<ParsedLayer> layers_;
  std::vector<LayerNodes> nodes_;
  std::vector<MapsFormat> formats_;
  mutable std::mutex mutex_;
  mutable std::uint64_t seed_ = 0;
  mutable std::shared_ptr<const TensorValues> seeded_;
};

/// The operators of each layer, as positions in the graph's nodes.
std::vector<LayerNodes> nodes_of(const network::Network& network, const ParsedNetwork& parsed);

}  // namespace convscope::snowflake
