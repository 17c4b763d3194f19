#pragma once
// What storing a network's weights as flyte costs in accuracy: they are computed with as floating point, so that
// nothing but their rounding makes an error.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/flyte/flyte.h"
#include "core/network/graph.h"
#include "core/quantization/network_formats.h"
#include "core/reference/executor.h"

namespace convscope::quantization {

/// By tensor of the graph: whether Conv, ConvTranspose, Gemm or MatMul take it as their coefficients, and no input of
/// the graph has a part in it. Biases aren't among them.
std::vector<bool> coefficients(const network::Graph& graph);

/// Rounds those, of any real type, to what the storage (of binary32) holds; for reference::execute.
reference::ValueHook storing(const network::Graph& graph, const flyte::Storage& storage);

/// Executes a topologically sorted graph for each input (at least one) in floating point and again with its
/// coefficients stored; errors are those of what operators compute. Nothing, with the executor's errors, if that fails.
/// Throws Cancelled.
std::optional<NetworkError> measure_stored_weights(const network::Graph& graph, const flyte::Storage& storage,
                                                   const std::vector<reference::FloatTensors>& inputs,
                                                   Diagnostics& diagnostics, const std::stop_token& stop = {});

}  // namespace convscope::quantization
