#pragma once
// What a network's file says about a layer's weights.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/network/graph.h"

namespace convscope::quantization {

/// The operators that a layer computes, as positions in Graph::nodes: the weighted one or the pool, then those that are
/// folded into it, in their order.
struct LayerNodes {
  int node = -1;
  std::vector<int> folded;
};

/// Before quantization: weights [output][input of its group][kernel row][kernel column], a bias for each output.
struct RealParameters {
  std::vector<double> weights, bias;
};

/// Whether the file holds weights for the layer, or what computes them; says nothing about their sizes.
bool has_weights(const network::Graph& graph, const LayerNodes& nodes);

/// Weights and bias of a Conv, Gemm or MatMul with so many outputs, and taps of each. Constants that are added to its
/// output, or subtracted from it, become bias; normalizations (Jacob et al., "Quantization and Training of Neural
/// Networks …", section 3.2) and constants that it is multiplied with or divided by are folded into both. Constants may
/// be computed from others. Nothing where a value is absent, has another size than asked for, or more than 2^28
/// elements.
std::optional<RealParameters> real_parameters(const network::Graph& graph, const LayerNodes& nodes,
                                              std::int64_t outputs, std::int64_t taps);

}  // namespace convscope::quantization
