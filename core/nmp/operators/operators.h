#pragma once
// What NMP does with the operators that are no convolutions: pools and element by element operations on tiles of their
// own, clamps with the tiles of the layer before them, sums where such tiles will be, concatenations by where their
// parts are stored.
// Source: "Tensor Slicing and Optimization for Multicore NPUs", section III, names the operators; their costs are ours.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/network/network.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/generate/computing.h"
#include "core/target/compiled.h"

namespace convscope::nmp {

struct OperatorUse {
  enum class Kind {
    unmapped,
    pool,      ///< tiles of a depthwise convolution: pools, one operand spread over the other, what moves elements
    elements,  ///< 1-D pieces: MB0, and MB1 if there are two operands, -> MB2
    free       ///< takes no time of its own
  };
  Kind kind = Kind::unmapped;
  std::string text;                 ///< unmapped: why; else what it is, for people
  std::optional<Convolution> pool;  ///< of a pool, and of what is searched like one
  std::int64_t elements = 0;        ///< of the output
  int operands = 1;                 ///< that have as many elements; more than two: one after the other
  Computing computing = {};         ///< of pools and elements
  int residual = -1;                ///< of a layer that multiplies: tensor that its sums begin from; -1: none
  int fused = -1;                   ///< of a sum that a layer before begins from: the operand which that one computes
  std::vector<int> tensors = {};    ///< operands in the order in which they are taken; empty: the node's inputs
  std::int64_t first_input = 0;     ///< element of the first operand that is the first to be read
  /// Of views of a part: where in the tensor each output begins, in elements; empty: all at its beginning.
  std::vector<std::int64_t> offsets = {};
  /// Of a concatenation: which inputs are stored in their places by who computes them; empty: all.
  std::vector<bool> placed = {};
  bool folded = false;  ///< free, as a layer before does it with its weights, its biases or its clamp
};

/// Of every layer of a network; those that multiply are `unmapped` here, they are for the search. Their text says which
/// sum they compute, too.
struct OperatorPlan : target::NetworkPlan {
  std::vector<OperatorUse> uses;
};

/// Whether a layer that multiplies had better begin from the other operand of a sum, which else is what `sum` says.
using SumChoice = std::function<bool(const network::Layer& layer, const OperatorUse& sum)>;

/// Linear in the network's size. Never fails. An addition of two tensors of equal size can be computed with the layer
/// whose weights and biases make one of them, if nobody else reads that one, nothing clamps it, and the other has been
/// computed before that layer; of two such layers, with the later one. `fuses` is asked then; without it, none is.
/// `element_bytes`: of the machine's numbers, which tables are made for.
OperatorPlan plan_operators(const network::Network& network, const SumChoice& fuses = {}, int element_bytes = 2);

}  // namespace convscope::nmp
