#include "core/engine/batch.h"

#include <algorithm>

namespace convscope::engine {
namespace {

bool is_mapped(const CompiledNetwork& compiled, std::size_t layer) {
  return compiled.layers[layer] && compiled.layers[layer]->mapped();
}

}  // namespace

bool has_batch(const network::Network& network) {
  return network.batch > 1 || std::any_of(network.layers.begin(), network.layers.end(),
                                          [](const network::Layer& layer) { return layer.images > 1; });
}

std::optional<artifact::BatchFigures> batch_of(const CompiledNetwork& compiled, std::size_t layer) {
  const std::int64_t images = compiled.network->layers[layer].images;
  if (images <= 1 || !is_mapped(compiled, layer)) return std::nullopt;
  return compiled.layers[layer]->batch(images);
}

std::optional<artifact::BatchFigures> batch_total(const CompiledNetwork& compiled) {
  if (!has_batch(*compiled.network)) return std::nullopt;
  artifact::BatchTotal total(compiled.total, compiled.network->batch);
  for (std::size_t i = 0; i < compiled.layers.size(); ++i)
    if (is_mapped(compiled, i))
      total.add(compiled.layers[i]->metrics(), compiled.layers[i]->batch(compiled.network->layers[i].images));
  return total.take();
}

}  // namespace convscope::engine
