#pragma once
// What calibration inputs show of a network's tensors.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/quantization/network_formats.h"

namespace convscope::quantization {

struct ObservationOptions {
  double percentile = 100;  ///< of the magnitudes that a tensor has over all inputs, in percent; constants count whole
  bool per_filter = false;  ///< of a product's weights each filter alone, too
};

/// By tensor of the graph.
struct Observations {
  std::vector<bool> held;             ///< whether it gets a format
  std::vector<Range> ranges;          ///< of all values
  std::vector<double> most;           ///< the magnitude that a format must hold; below 100 percent a power of two
  std::vector<FilterPoints> filters;  ///< of weights looked at by filter; all points 0
  std::vector<std::vector<double>> filter_most;  ///< `most` of each of these filters
};

/// Of a topologically sorted graph with inferred shapes, which is executed once for each of the inputs (at least one).
/// A convolution or product with a clamp (Relu, Clip) as its only reader gets no format: only what the clamp leaves is
/// held. Values that are no finite numbers are left out. Nothing, with the executor's errors, if an execution fails.
/// Throws Cancelled.
std::optional<Observations> observe(const network::Graph& graph, const std::vector<reference::FloatTensors>& inputs,
                                    const ObservationOptions& options, Diagnostics& diagnostics,
                                    const std::stop_token& stop = {});

/// Likewise, but nothing is executed: what is no constant has no range yet.
Observations observe_constants(const network::Graph& graph, bool per_filter);

}  // namespace convscope::quantization
