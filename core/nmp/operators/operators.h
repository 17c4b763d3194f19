#pragma once
// What NMP does with the operators that are no convolutions: pools and element by element operations on tiles of their
// own, clamps with the tiles of the layer before them, concatenations by where their parts are stored.
// Source: "Tensor Slicing and Optimization for Multicore NPUs", section III, names the operators; their costs are ours.

#include <cstdint>
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
    pool,      ///< tiles of a depthwise convolution without weights
    elements,  ///< 1-D pieces: MB0, and MB1 if there are two operands, -> MB2
    free       ///< takes no time of its own
  };
  Kind kind = Kind::unmapped;
  std::string text;                 ///< unmapped: why; else what it is, for people
  std::optional<Convolution> pool;  ///< of a pool
  std::int64_t elements = 0;        ///< of the output
  int operands = 1;                 ///< that have as many elements; more than two: one after the other
  Computing computing = {};         ///< of pools and elements
};

/// Of every layer of a network; those that multiply are `unmapped` here, they are for the search.
struct OperatorPlan : target::NetworkPlan {
  std::vector<OperatorUse> uses;
};

/// Linear in the network's size. Never fails.
OperatorPlan plan_operators(const network::Network& network);

}  // namespace convscope::nmp
