#pragma once
// Which operators of a network's graph each layer's programs compute, and which tensors pass between machine and host.

#include <vector>

#include "core/network/network.h"
#include "core/nve/layer_programs.h"
#include "core/quantization/real_parameters.h"

namespace convscope::nve {

/// A layer of the chain: a convolution, or a product of one pixel, with what is folded into its coefficients
/// (normalizations, constants that are added) and into its table (functions of one number).
struct ChainLayer {
  int layer = 0;  ///< position in the network
  const LayerPrograms* programs = nullptr;
  quantization::LayerNodes nodes;
  std::vector<int> functions;        ///< nodes, in their order
  int in = -1, sums = -1, out = -1;  ///< tensors: what is read, what the table takes, what it gives out
};

/// In the order of the network's layers. `programs`: by layer, null for those that NVE doesn't compute. Layers whose
/// weights the file doesn't hold are left out: the host computes them.
std::vector<ChainLayer> chain_of(const network::Network& network, const std::vector<const LayerPrograms*>& programs);

}  // namespace convscope::nve
