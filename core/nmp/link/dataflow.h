#pragma once
// Which layer's results another one reads, where nothing is copied: views and folded layers have the tensor of the
// layer before them, parts of concatenations lie in the whole.

#include <cstdint>
#include <string>
#include <vector>

#include "core/nmp/link/solved_layer.h"
#include "core/nmp/operators/operators.h"

namespace convscope::nmp {

/// A tensor that memory is needed for.
struct Storage {
  std::string name;
  std::int64_t elements = 0;
  int first_step = -1;  ///< that writes it; -1: it is the network's input
  int last_step = -1;   ///< that reads it; the number of steps: it is the network's output
};

/// Elements from one of a storage on.
struct StorageUse {
  int storage = -1;  ///< -1: none
  std::int64_t first_element = 0;
  std::int64_t elements = 0;
  int tensor = -1;  ///< of the graph, whose values they are
};

/// A layer that runs.
struct LinkedStep {
  int layer = 0;                        ///< in the network
  StorageUse in, other, residual, out;  ///< `other`: a second operand; none if it is a constant, which W has then
  std::vector<StorageUse> more = {};    ///< operands behind the second of a sum, or behind the first of copies
  bool rectifies = false;               ///< a ReLU behind it is folded into it
  std::vector<int> folded;  ///< nodes behind the layer's that it computes as well, in their order; `out` is the last's
};

struct Dataflow {
  std::vector<Storage> storages;
  std::vector<LinkedStep> steps;      ///< in their order
  std::vector<std::string> left_out;  ///< layers at the network's end that NMP has no program for
  std::vector<int> views;             ///< nodes that only say where values lie
  std::string reason;                 ///< why the layers can't be joined; empty if they can
};

/// `solved`: by layer, null for those that don't run. Linear in the graph's size, but for chains of views.
Dataflow dataflow_of(const network::Network& network, const OperatorPlan& plan,
                     const std::vector<const SolvedLayer*>& solved);

/// Sums whose first or second operand nobody reads any more are written over it. So are sums that begin from a
/// residual: each TLT loads a tile of it once, and stores that tile later.
void write_sums_in_place(Dataflow& flow);

}  // namespace convscope::nmp
