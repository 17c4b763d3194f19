#pragma once
// A network of a few operators, made node by node; its coefficients have shapes alone.

#include <string>
#include <vector>

#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::cpu {

class NetworkMaker {
 public:
  /// One input, float32.
  explicit NetworkMaker(std::vector<std::int64_t> dimensions);

  /// Index of the first input.
  int input() const { return 0; }
  int coefficients(std::vector<std::int64_t> dimensions);
  /// A list of whole numbers that the file has.
  int integers(std::vector<std::int64_t> values);
  /// Index of what the operator makes.
  int add(const std::string& operator_name, std::vector<int> inputs, const network::Attributes& attributes = {});
  /// Another output of the last node.
  int also();
  /// With shapes and layers.
  network::Network finish(int output);
  network::Network finish(const std::vector<int>& outputs);

 private:
  int tensor(std::string name);
  network::Graph graph_;
};

/// Branches that are concatenated and added, a pool of each kind, a depthwise and a strided convolution, a
/// normalization, a product and a softmax.
network::Network small_network();

network::Attributes attributes_of(std::initializer_list<std::pair<const char*, network::AttributeValue>> values);

/// Each operator that only moves elements, on images and on tensors that are none, a softmax along rows, and what is
/// computed of two tensors or with a constant of as many elements. Outputs: of each branch.
network::Network moving_network();

}  // namespace convscope::cpu
