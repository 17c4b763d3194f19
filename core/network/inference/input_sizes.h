#pragma once
// What a user says about open dimensions, put into the inputs of a graph.

#include "core/network/inference/node_view.h"
#include "core/network/shape_inference.h"

namespace convscope::network {

/// Sets batch, named and image dimensions of the graph's inputs, and named dimensions of all tensors. Inputs that are
/// used as weights keep their shapes. The first batch that changes is what declared shapes and Reshape targets meant.
/// Symbols whose sizes are negative or too large are said and ignored.
BatchChange apply_sizes(Graph& graph, const InputSizes& sizes, InferenceState& state);

}  // namespace convscope::network
