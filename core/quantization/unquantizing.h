#pragma once
// Quantized operators as those of real numbers that they stand for, node by node.

#include <vector>

#include "core/quantization/real_graph.h"

namespace convscope::quantization {

/// True for operators that put values into integers, take them out, or compute with them by scales.
bool is_quantizing(const network::Node& node);

/// Whether the graph has such operators, or integers whose scales the format states of themselves (TensorFlow Lite).
bool is_quantized(const network::Graph& graph);

/// Rewrites a graph node by node. The first thing that it can't express ends it.
class Unquantizing : public RealGraph {
 public:
  explicit Unquantizing(const network::Graph& graph);

 private:
  /// Of computed tensors and inputs that have one themselves.
  void give_stated_scales();
  /// The tensor that has an output's values now, by the name that the file gives the output.
  int named_as(int output, int real);
  void add(network::Node node);
  std::size_t axis_of(const network::Node& node);
  void quantize(network::Node node);
  void dequantize(network::Node node);
  /// An operand as real numbers: a new constant, or the tensor by its scale. -1 with a reason if that can't be.
  int operand(const network::Node& node, Operand at, std::size_t axis);
  /// QLinearConv's bias: integers of 32 bits by the product of both scales.
  int bias(const network::Node& node, int data, int weights);
  /// The operator of real numbers, and the clip to the range of its output's type.
  void finish(network::Node node, const char* operator_name, std::vector<int> inputs, Operand result);
  void multiply(network::Node node, const char* operator_name);
  void combine(network::Node node, const char* operator_name);
  /// Pools and views of integers: the same of what they stand for.
  void pass(network::Node node, const std::vector<int>& integers);
  /// An operator on tensors that have scales themselves: on what they stand for, clipped to what the results hold.
  void compute(network::Node node);
  bool states_scale(int index) const { return index >= 0 && result_.graph.tensors[index_of(index)].scale != nullptr; }
  /// Whether all that the node takes and makes stands for numbers by one scale.
  bool keeps_scale(const network::Node& node);

  std::vector<int> stands_for_;              ///< by tensor of the file: which one has its values now
  std::vector<network::ElementType> types_;  ///< by tensor of the file, as there
};

/// Tensors with scales of their own as real ones, nodes as they are.
class RealTensors : public RealGraph {
 public:
  explicit RealTensors(const network::Graph& graph);
};

}  // namespace convscope::quantization
