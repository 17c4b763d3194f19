#include "core/nve/network_chain.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace convscope::nve {
namespace {

using network::Graph;
using network::Node;

class ChainFinder {
 public:
  explicit ChainFinder(const Graph& graph) : graph_(graph), readers_(graph.tensors.size()) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
      for (const int tensor : graph.nodes[i].inputs)
        if (tensor >= 0) readers_[static_cast<std::size_t>(tensor)].push_back(static_cast<int>(i));
    for (const int output : graph.outputs) readers_[static_cast<std::size_t>(output)].push_back(-1);
  }

  ChainLayer find(const network::Layer& layer) const {
    ChainLayer chain;
    chain.nodes.node = layer.node;
    const Node& node = this->node(layer.node);
    chain.in = node.inputs.empty() ? -1 : node.inputs.front();
    chain.sums = node.outputs.empty() ? -1 : node.outputs.front();
    for (int next = only_reader(chain.sums); next >= 0 && folds(this->node(next), chain.sums);
         next = only_reader(chain.sums)) {
      chain.nodes.folded.push_back(next);
      chain.sums = this->node(next).outputs.front();
    }
    chain.out = chain.sums;
    for (int next = only_reader(chain.out); next >= 0 && is_function(this->node(next)); next = only_reader(chain.out)) {
      chain.functions.push_back(next);
      chain.out = this->node(next).outputs.front();
    }
    return chain;
  }

 private:
  const Node& node(int index) const { return graph_.nodes[static_cast<std::size_t>(index)]; }

  int only_reader(int tensor) const {
    if (tensor < 0) return -1;
    const std::vector<int>& readers = readers_[static_cast<std::size_t>(tensor)];
    return readers.size() == 1 ? readers.front() : -1;
  }

  bool is_constant(int tensor) const {
    return tensor >= 0 && graph_.tensors[static_cast<std::size_t>(tensor)].constant != nullptr;
  }

  bool folds(const Node& node, int data) const {
    if (node.outputs.empty()) return false;
    if (node.operator_name == "BatchNormalization") return node.inputs.size() == 5 && node.inputs.front() == data;
    if (node.operator_name != "Add" || node.inputs.size() != 2) return false;
    return is_constant(node.inputs[node.inputs.front() == data ? 1 : 0]);
  }

  // Of one number each, whatever its place; further inputs are constant.
  bool is_function(const Node& node) const {
    static constexpr std::array<std::string_view, 8> names{"Relu",        "LeakyRelu", "Clip", "Sigmoid",
                                                           "HardSigmoid", "HardSwish", "Tanh", "Elu"};
    return !node.outputs.empty() && std::find(names.begin(), names.end(), node.operator_name) != names.end() &&
           std::all_of(node.inputs.begin() + 1, node.inputs.end(),
                       [this](int tensor) { return tensor < 0 || is_constant(tensor); });
  }

  const Graph& graph_;
  std::vector<std::vector<int>> readers_;  ///< of each tensor; -1: it is an output
};

// The host would have to turn rows of features into maps.
bool keeps_order(const network::Layer& layer) {
  return layer.operator_name == "Conv" || layer.in.size == network::Size{1, 1};
}

bool has_parameters(const Graph& graph, const network::Layer& layer, const ChainLayer& chain) {
  const std::int64_t taps = std::int64_t{layer.in.maps} / layer.groups * layer.kernel.height * layer.kernel.width;
  return quantization::real_parameters(graph, chain.nodes, layer.out.maps, taps).has_value();
}

}  // namespace

std::vector<ChainLayer> chain_of(const network::Network& network, const std::vector<const LayerPrograms*>& programs) {
  std::vector<ChainLayer> chain;
  if (!network.graph) return chain;
  const ChainFinder finder(*network.graph);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const network::Layer& layer = network.layers[i];
    if (programs[i] == nullptr || layer.node < 0 || !keeps_order(layer)) continue;
    ChainLayer found = finder.find(layer);
    if (!has_parameters(*network.graph, layer, found)) continue;
    found.layer = static_cast<int>(i);
    found.programs = programs[i];
    chain.push_back(std::move(found));
  }
  return chain;
}

}  // namespace convscope::nve
