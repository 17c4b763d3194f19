// A network as a whole: its layers, which are those of one image, and how many images it takes at once.

#include <algorithm>

#include <fmt/format.h>

#include "core/network/shape_inference.h"

namespace convscope::network {
namespace {

/// How often each layer runs, from the shapes of the whole batch: of layers that multiply their own first dimension,
/// which need not be the batch (regions of interest, tokens); of others the batch.
void set_images(Network& network, const Graph& whole) {
  const std::vector<Layer> all = layers_of(whole);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    Layer& layer = network.layers[i];
    layer.images = layer.multiplies() && all[i].macs_known() ? all[i].images : network.batch;
  }
}

}  // namespace

void set_shapes(Network& network, const InputSizes& sizes, Diagnostics& diagnostics) {
  InputSizes chosen = sizes;
  if (chosen.batch < 1) chosen.batch = std::max(1, batch_of(*network.graph));
  InputSizes single = chosen;
  single.batch = 1;
  auto one = std::make_shared<Graph>(*network.graph);
  infer_shapes(*one, single, network.source_file, diagnostics);
  network.layers = layers_of(*one);
  network.batch = chosen.batch;
  if (chosen.batch > 1) {
    auto whole = std::make_shared<Graph>(*network.graph);
    Diagnostics repeated;  // what one image contradicts, several do too
    infer_shapes(*whole, chosen, network.source_file, repeated);
    if (const int taken = batch_of(*whole); taken > 0) network.batch = taken;
    set_images(network, *whole);
    if (network.batch > 1) network.batch_graph = std::move(whole);
  }
  if (network.batch > 1)
    diagnostics.note({network.source_file, 0, {}},
                     fmt::format("takes {} images at a time: figures are those of one, beside them those of the batch",
                                 network.batch));
  network.graph = std::move(one);
}

}  // namespace convscope::network
