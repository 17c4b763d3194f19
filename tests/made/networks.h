#pragma once
// ONNX files that tests and benchmarks make for themselves, the same on every machine.

#include <string>

namespace convscope::made {

/// DenseNet-121 (Huang et al., CVPR 2017, table 1; growth 32), 3 x 224 x 224, with weights: 121 layers with
/// coefficients, 62 concatenations, 32 MB.
void write_densenet121(const std::string& path);

enum class WeightForm { raw, repeated };  ///< raw_data, as most exporters write it, or one field element per float

/// A chain of 3 x 3 convolutions over 512 maps with 104 MB of weights.
void write_heavy_chain(const std::string& path, WeightForm form);

/// Residual blocks of two small convolutions, one after the other, until there are that many operators.
void write_residual_chain(const std::string& path, int operators);

}  // namespace convscope::made
