#pragma once
// The step that computes a node.

#include "core/cpu/network/flow_tensors.h"

namespace convscope::cpu {

class StepMaker {
 public:
  /// What is given must outlive it.
  StepMaker(const network::Network& network, const NodeValues& read, FlowTensors& tensors)
      : network_(network), graph_(*network.graph), read_(read), tensors_(tensors) {}

  /// With inputs; without name, layer and output. `layer`: of the node, -1: none. Throws Refusal.
  Step step_of(const network::Node& node, int layer) const;
  /// Elements of the node's input as this output of it has them. Throws Refusal.
  Step movement(const network::Node& node, std::size_t output) const;

 private:
  Step convolution(const network::Node& node, int layer) const;
  void add_bias(const network::Node& node, float factor, Step& step) const;
  Step product(const network::Node& node) const;
  Step pool(const network::Node& node) const;
  Step whole_pool(const network::Node& node) const;
  Step elementwise(const network::Node& node, StepKind kind) const;
  Step concat(const network::Node& node) const;
  Step softmax(const network::Node& node) const;
  Step normalization(const network::Node& node) const;
  char letter(int tensor, std::int64_t axis) const;
  bool fits(int input, int output) const;

  const network::Network& network_;
  const network::Graph& graph_;
  const NodeValues& read_;
  FlowTensors& tensors_;
};

}  // namespace convscope::cpu
