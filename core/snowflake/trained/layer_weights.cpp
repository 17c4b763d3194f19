#include "core/snowflake/trained/layer_weights.h"

#include <cstdint>

namespace convscope::snowflake {

std::optional<RealParameters> real_parameters(const network::Graph& graph, const LayerNodes& nodes,
                                              const ProgramLayer& layer) {
  const bool convolves = layer.kind == LayerKind::convolution || layer.kind == LayerKind::fully_connected;
  if (!convolves) return std::nullopt;
  const std::int64_t taps = std::int64_t{layer.in.channels / layer.groups} * layer.kernel_height * layer.kernel_width;
  return quantization::real_parameters(graph, nodes, layer.out.channels, taps);
}

}  // namespace convscope::snowflake
