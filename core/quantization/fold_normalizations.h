#pragma once
// Normalizations that disappear into the weights before them, as every fixed-point machine runs them.

#include "core/network/graph.h"

namespace convscope::quantization {

/// Folds each BatchNormalization of constants into the Conv of constant weights before it, where nothing else reads
/// what is between them: w' = w * s and b' = (b - mean) * s + shift with s = scale / sqrt(variance + epsilon), a filter
/// at a time (Jacob et al., "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
/// Inference", section 3.2). The values are rounded to 32 bits. Returns how many; those that can't be folded
/// (weights that are absent or computed, parameters of another size) stay as they are. The graph is topologically
/// sorted, before and after.
int fold_normalizations(network::Graph& graph);

}  // namespace convscope::quantization
