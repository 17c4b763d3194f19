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
  /// Index of what the operator makes.
  int add(const std::string& operator_name, std::vector<int> inputs, const network::Attributes& attributes = {});
  /// With shapes and layers.
  network::Network finish(int output);

 private:
  int tensor(std::string name);
  network::Graph graph_;
};

/// Branches that are concatenated and added, a pool of each kind, a depthwise and a strided convolution, a
/// normalization, a product and a softmax.
network::Network small_network();

}  // namespace convscope::cpu
