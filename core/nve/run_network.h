#pragma once
// A network as a whole on the simulator: each layer on the pixels that those before it gave out.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nve/check_program.h"
#include "core/nve/network_chain.h"
#include "core/quantization/error.h"
#include "core/quantization/named_inputs.h"
#include "core/reference/executor.h"

namespace convscope::nve {

struct NetworkRun {
  ProgramCheck check;  ///< of all layers together
  int on_host = 0;     ///< operators that the host computed, in floating point
  /// Of the network's outputs, against floating point throughout.
  quantization::Error error;
  bool same_answer = false;
};

using quantization::made_up_inputs;
using quantization::named_inputs;

/// What programs of a layer run on, which get the shift of its biases, and that of its activation.
struct LayerNumbers {
  LayerData data;
  int bias_shift = 0;
};

/// Of one layer, as in run_network below, but that its input is what the layers before it make of the first of `inputs`
/// in floating point. Nothing, with diagnostics, as there. Throws Cancelled.
std::optional<LayerNumbers> layer_numbers(const network::Network& network, const ChainLayer& layer, int most_bias_shift,
                                          const std::vector<reference::FloatTensors>& inputs,
                                          const std::stop_token& stop, Diagnostics& diagnostics);

/// Runs the graph on the first of `inputs` (at least one). Formats of pixels follow from the values that all of them
/// show. The host computes what isn't in the chain, from what pixels stand for; what a layer reads
/// is rounded to its pixels. Each layer's pixels and accumulators are compared with the fixed-point reference on the
/// same data, bit for bit; a mismatch or a hazard ends the run with diagnostics that name the layer. Nothing, with the
/// numbers, if a layer's sums can't be kept within 32 bits (fixed_layer.h), or the graph can't be executed. Throws
/// Cancelled.
std::optional<NetworkRun> run_network(const network::Network& network, const std::vector<ChainLayer>& chain,
                                      int most_bias_shift, const std::vector<reference::FloatTensors>& inputs,
                                      const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::nve
