#pragma once
// Fixed-point numbers of a network that has weights, as its joined program computes with them.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/nmp/link/dataflow.h"
#include "core/nmp/link/layer_requests.h"
#include "core/nmp/trained/points.h"

namespace convscope::nmp {

/// An operand that is a constant, as words.
struct ConstantWords {
  int tensor = -1;  ///< of the graph; -1: the operand is computed
  int fraction = 0;
  std::vector<std::int32_t> words;
};

struct NetworkNumbers {
  std::vector<StepNumbers> steps;  ///< of the flow
  TensorFormats formats;
  std::vector<std::vector<ConstantWords>> constants;  ///< by step and operand behind the first
};

std::vector<std::int32_t> words_of(const std::vector<double>& values, const quantization::Format& format);

/// Formats from the greatest magnitude of each tensor of the network's graph, by the rule of core/quantization
/// (section V of the paper): Q = width - 1 - ceil(log2 most), views and concatenations agree. Beyond that, what the
/// instructions ask for:
/// - Results of pools, copies, pairs, slopes and gates have the format of their operands, as these shift nothing, and
///   so have constants among them. Products of pairs shift to the right, by 27 bits at most. Of sums of several
///   operands all that is stored on the way has room.
/// - Factors and constants of `affine` fit 16 bits. Tables have one format for inputs and another for results; inputs
///   that nobody else reads have the point at which the table is off by least. Slopes by map have 15 fraction bits.
/// - Sums of products are shifted to the right alone, by at most 27 bits, and residuals to the left, by at most 28, so
///   that 48 bits hold every sum; biases fit 32 bits. What rounds down has whole numbers.
/// Where that doesn't hold, the result's point falls, or else the weights'. The result is the greatest assignment below
/// the one that magnitudes give. Weights have one point for all filters: a convolution has one shift (C44). Clamps are
/// those of Relu and Clip.
/// Partial sums have room for what `seen` has, with a bit to spare where they are wider than elements; where that isn't
/// known, for sums four times as large as results.
/// Nothing, with an error that names the layer, where its numbers have no such words: slopes beyond -1 to 1, or of
/// elements of 8 bits, factors of 2^15 and more, whole numbers that elements don't hold.
std::optional<NetworkNumbers> choose_numbers(const network::Network& network, const Dataflow& flow,
                                             const std::vector<const SolvedLayer*>& solved,
                                             const std::vector<StepValues>& values, const Seen& seen,
                                             Diagnostics& diagnostics);

}  // namespace convscope::nmp
