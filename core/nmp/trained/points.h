#pragma once
// Where the points of a network's tensors stand, so that NMP's instructions can compute with them.

#include <optional>
#include <vector>

#include "core/network/network.h"
#include "core/nmp/link/dataflow.h"
#include "core/nmp/trained/step_values.h"
#include "core/quantization/format.h"

namespace convscope::nmp {

inline constexpr int bias_bits = 32;   ///< in a data RAM
inline constexpr int slope_bits = 15;  ///< fraction bits of slopes, by map or for all

using TensorFormats = std::vector<std::optional<quantization::Format>>;  ///< by tensor of the graph

/// Of a layer whose channels are added up in parts, what its sums ask for on the way (partial_sums.h): fraction bits.
struct SumPoints {
  int result = 0;   ///< of results at most
  int partial = 0;  ///< of partial sums, as wide as the machine has them, without saturation
};

/// What calibration shows.
struct Seen {
  std::vector<double> most;                    ///< greatest magnitudes, by tensor
  std::vector<std::optional<SumPoints>> sums;  ///< by step; empty: unknown
};

struct Points {
  TensorFormats formats;                    ///< of what lies in DRAM; words as wide as the machine's elements
  std::vector<std::vector<int>> constants;  ///< by step and operand behind the first: fraction bits
};

/// The greatest assignment below the one that magnitudes give, by the rules of network_numbers.h.
Points choose_points(const network::Network& network, const Dataflow& flow,
                     const std::vector<const SolvedLayer*>& solved, const std::vector<StepValues>& values,
                     const Seen& seen);

/// Fraction bits of a layer's products: those of its inputs and weights together, or as many as biases, shift and
/// residual allow.
int products_of(const LinkedStep& step, const StepValues& values, const TensorFormats& formats);

}  // namespace convscope::nmp
