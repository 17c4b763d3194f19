#pragma once
// What holds for every graph that a reader returns, whatever it was fed.

#include <cstddef>

#include "core/network/graph.h"
#include "tests/fuzz/require.h"

namespace convscope::fuzz {

inline void check_tensor(const network::Tensor& tensor) {
  if (!tensor.constant) return;
  const network::TensorShape shape{true, tensor.constant->dimensions, {}};
  require(shape.elements().has_value(), "constants of a known, bounded size");
  if (tensor.constant->bytes.empty()) return;
  const auto bits = static_cast<std::size_t>(network::element_bits(tensor.constant->type));
  require(tensor.constant->bytes.size() == (static_cast<std::size_t>(*shape.elements()) * bits + 7) / 8,
          "as many bytes as the dimensions say");
  // Every byte is readable.
  require(static_cast<int>(tensor.constant->bytes.front()) + static_cast<int>(tensor.constant->bytes.back()) >= 0,
          "bytes");
}

inline void check_graph(const network::Graph& graph) {
  const auto exists = [&](int tensor) {
    return tensor >= 0 && static_cast<std::size_t>(tensor) < graph.tensors.size();
  };
  for (const network::Tensor& tensor : graph.tensors) check_tensor(tensor);
  for (const network::Node& node : graph.nodes) {
    for (const int input : node.inputs) require(input == -1 || exists(input), "inputs that exist");
    for (const int output : node.outputs) require(exists(output), "outputs that exist");
  }
  for (const int input : graph.inputs) require(exists(input), "graph inputs that exist");
  for (const int output : graph.outputs) require(exists(output), "graph outputs that exist");
}

}  // namespace convscope::fuzz
