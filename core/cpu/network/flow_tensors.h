#pragma once
// The tensors that a flow has of a graph, as steps ask for them.

#include <string>
#include <vector>

#include "core/cpu/network/flow.h"
#include "core/cpu/network/node_values.h"

namespace convscope::cpu {

/// Why a node has no step; thrown.
struct Refusal {
  std::string why, expected;
};

class FlowTensors {
 public:
  /// Adds to the flow's tensors and constants. What is given must outlive it.
  FlowTensors(const network::Graph& graph, const NodeValues& read, Flow& flow);

  /// Place of a tensor of the graph in the flow: made now if it has none. Of any dimensions, or an image.
  int make(int tensor);
  int make_image(int tensor);
  /// Place of one that has been made.
  int known(int tensor) const;
  int known_image(int tensor) const;
  /// All inputs of a node, constants with a value for each element among them.
  std::vector<int> operands(const network::Node& node);
  /// What lies at `place` becomes this tensor.
  void rename(int place, int tensor);

  const Extents& extents(int place) const { return flow_.tensors[static_cast<std::size_t>(place)].extents; }

 private:
  void must_be_image(int tensor) const;

  const NodeValues& read_;
  Flow& flow_;
  std::vector<int> of_;  ///< place in the flow of each tensor of the graph; -1: none
};

}  // namespace convscope::cpu
