#pragma once
// What a network's drawing is made of: boxes of one or several layers, its inputs and outputs, and what flows between.

#include <QString>
#include <vector>

#include "core/network/graph.h"
#include "core/network/network.h"

namespace convscope::ui {

enum class NetworkDetail { blocks, operators };

struct NetworkBox {
  enum class Role { layers, input, output };
  Role role = Role::layers;
  std::vector<int> layers;     ///< in the order of the data; indices into Network::layers
  std::vector<int> constants;  ///< layers that only compute weights or shapes for these, in blocks
  int main = -1;               ///< the layer that stands for the box: the one with most MACs, else the first
  int tensor = -1;             ///< of an input or output of the network
  int branch = -1;             ///< branch that this box stands for (`folded` > 0), or the innermost that ends here
  int folded = 0;              ///< boxes that this one stands for; 0 for a box of its own
};

struct NetworkFlow {
  int from = 0, to = 0;  ///< boxes; from < to
  int tensor = -1;       ///< -1 without a graph
};

struct NetworkBoxes {
  std::vector<NetworkBox> boxes;
  std::vector<NetworkFlow> flows;  ///< at most one between the same two boxes
  std::vector<int> box_of_layer;   ///< -1 for none
};

/// Blocks: a convolution or product, and what follows it as long as each has one input and one reader. Operators: a box
/// per layer. Layers without a graph are a chain. Time O((V + E) log V).
NetworkBoxes network_boxes(const network::Network& network, NetworkDetail detail);

/// Chooses the layer that stands for each box.
void choose_main_layers(NetworkBoxes& boxes, const network::Network& network);

/// Nodes whose results don't depend on the network's inputs, or only on their shapes.
std::vector<bool> constant_nodes(const network::Graph& graph);

}  // namespace convscope::ui
