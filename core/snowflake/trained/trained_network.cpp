#include "core/snowflake/trained/trained_network.h"

#include <cmath>

#include "core/base/cancellation.h"
#include "core/quantization/network_formats.h"

namespace convscope::snowflake {
namespace {

constexpr int word_bits = 8 * word_bytes;

}  // namespace

std::int16_t MapsFormat::word(double value) const {
  return static_cast<std::int16_t>(quantization::quantize(value / unit, {word_bits, fraction}));
}

double MapsFormat::value(std::int16_t word) const {
  return std::ldexp(static_cast<double>(word), -fraction) * unit;
}

TrainedNetwork::TrainedNetwork(std::shared_ptr<const network::Graph> graph, const ParsedNetwork& parsed,
                               std::vector<LayerNodes> nodes, std::vector<MapsFormat> formats)
    : graph_(std::move(graph)), layers_(parsed.layers), nodes_(std::move(nodes)), formats_(std::move(formats)) {}

std::optional<LayerParameters> TrainedNetwork::parameters(int position) const {
  const ProgramLayer& layer = layers_[static_cast<std::size_t>(position)].layer;
  const auto real = real_parameters(*graph_, nodes_[static_cast<std::size_t>(position)], layer);
  if (!real) return std::nullopt;
  const MapsFormat& out = format(layer.out);
  const double scale = format(layer.in).unit / out.unit;
  const quantization::Format weights{word_bits, layer.weights_fraction};
  LayerParameters words;
  words.weights.reserve(real->weights.size());
  for (const double weight : real->weights)
    words.weights.push_back(static_cast<std::int16_t>(quantization::quantize(weight * scale, weights)));
  for (const double bias : real->bias) words.bias.push_back(out.word(bias));
  return words;
}

std::optional<TensorValues> TrainedNetwork::values(const reference::FloatTensors& inputs, Diagnostics& diagnostics,
                                                   const std::stop_token& stop) const {
  std::vector<bool> wanted(graph_->tensors.size(), false);
  for (const ParsedLayer& layer : layers_)
    for (const int tensor : {layer.tensors.in, layer.tensors.out, layer.tensors.bypass})
      if (tensor >= 0) wanted[static_cast<std::size_t>(tensor)] = true;
  TensorValues values;
  const auto keep = [&](int tensor, const reference::FloatTensor& value) {
    throw_if_stopped(stop);
    if (wanted[static_cast<std::size_t>(tensor)]) values[tensor] = value.values;
  };
  if (!reference::execute(*graph_, inputs, diagnostics, {}, keep)) return std::nullopt;
  return values;
}

std::shared_ptr<const TensorValues> TrainedNetwork::remembered_values(std::uint64_t seed) const {
  const std::lock_guard lock(mutex_);
  return seed_ == seed ? seeded_ : nullptr;
}

std::shared_ptr<const TensorValues> TrainedNetwork::seeded_values(std::uint64_t seed, Diagnostics& diagnostics,
                                                                  const std::stop_token& stop) const {
  if (auto remembered = remembered_values(seed)) return remembered;
  const auto inputs = quantization::seeded_inputs(*graph_, seed, diagnostics);
  auto computed = inputs ? values(*inputs, diagnostics, stop) : std::nullopt;
  if (!computed) return nullptr;
  const std::lock_guard lock(mutex_);
  seed_ = seed;
  return seeded_ = std::make_shared<const TensorValues>(*std::move(computed));
}

std::vector<LayerNodes> nodes_of(const network::Network& network, const ParsedNetwork& parsed) {
  const auto node = [&](int layer) { return network.layers[static_cast<std::size_t>(layer)].node; };
  std::vector<LayerNodes> nodes;
  for (const ParsedLayer& layer : parsed.layers) {
    nodes.push_back({node(layer.network_layer), {}});
    for (const int folded : layer.folded) nodes.back().folded.push_back(node(folded));
  }
  return nodes;
}

}  // namespace convscope::snowflake
