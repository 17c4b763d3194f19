#pragma once
// Fixed-point numbers of a network that has weights, as its joined program computes with them.

#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/nmp/link/dataflow.h"
#include "core/nmp/link/layer_requests.h"
#include "core/quantization/format.h"

namespace convscope::nmp {

struct NetworkNumbers {
  std::vector<StepNumbers> steps;  ///< of the flow
  /// By tensor of the graph: of those that lie in DRAM, words as wide as the machine's elements.
  std::vector<std::optional<quantization::Format>> formats;
};

/// Formats from the greatest magnitude of each tensor of the network's graph, by the rule of core/quantization
/// (section V of the paper): Q = width - 1 - ceil(log2 most), views and concatenations agree. Beyond that, what the
/// instructions ask for: results of pools, pairs and activations have the format of their operands, as these shift
/// nothing (but products); sums of products are shifted to the right alone, by at most 27 bits, and residuals to the
/// left, by at most 28, so that 48 bits hold every sum; biases fit 32 bits. Where that doesn't hold, the result's
/// point falls, or else the weights'. The result is the greatest assignment below the one that magnitudes give.
/// Weights have one point for all filters: a convolution has one shift (C44). Clamps are those of Relu and Clip.
/// Nothing, with an error that names the layer, where the file has no weights for it, or folds something into it that
/// weights and biases can't take up.
std::optional<NetworkNumbers> choose_numbers(const network::Network& network, const Dataflow& flow,
                                             const std::vector<const SolvedLayer*>& solved,
                                             const std::vector<double>& most, Diagnostics& diagnostics);

}  // namespace convscope::nmp
