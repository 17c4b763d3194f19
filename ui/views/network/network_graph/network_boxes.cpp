#include "ui/views/network/network_graph/network_boxes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/integers.h"
#include "ui/views/network/network_graph/operator_kind.h"

namespace convscope::ui {
namespace {

using network::Graph;
using network::Network;

/// What flows between layers: the graph's tensors, or one layer after the other.
class Flows {
 public:
  explicit Flows(const Network& network) : network_(network) {
    inputs_.resize(network.layers.size());
    readers_.resize(network.layers.size());
    constant_.assign(network.layers.size(), false);
    if (network.graph) {
      read_graph(*network.graph);
    } else {
      for (std::size_t i = 1; i < network.layers.size(); ++i) link(static_cast<int>(i) - 1, static_cast<int>(i), -1);
    }
  }

  struct Input {
    int layer = -1;   ///< that produces it; -1 for an input of the network
    int tensor = -1;  ///< -1 without a graph
  };
  const std::vector<Input>& inputs(int layer) const { return inputs_[at(layer)]; }
  const std::vector<int>& readers(int layer) const { return readers_[at(layer)]; }
  bool constant(int layer) const { return constant_[at(layer)]; }
  int layer_of_tensor(int tensor) const { return tensor < 0 ? -1 : layer_of_tensor_[at(tensor)]; }
  bool is_output(int layer) const {
    const int node = network_.layers[at(layer)].node;
    if (!network_.graph || node < 0) return false;
    const auto& outputs = network_.graph->nodes[at(node)].outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](int tensor) {
      const auto& all = network_.graph->outputs;
      return std::find(all.begin(), all.end(), tensor) != all.end();
    });
  }

 private:
  void link(int from, int to, int tensor) {
    inputs_[at(to)].push_back({from, tensor});
    readers_[at(from)].push_back(to);
  }

  void read_graph(const Graph& graph) {
    layer_of_tensor_.assign(graph.tensors.size(), -1);
    const std::vector<bool> constants = constant_nodes(graph);
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const int node = network_.layers[i].node;
      if (node < 0) continue;
      constant_[i] = constants[at(node)];
      for (const int tensor : graph.nodes[at(node)].outputs)
        if (tensor >= 0) layer_of_tensor_[at(tensor)] = static_cast<int>(i);
    }
    const std::set<int> given(graph.inputs.begin(), graph.inputs.end());
    for (std::size_t i = 0; i < network_.layers.size(); ++i) {
      const int node = network_.layers[i].node;
      if (node < 0) continue;
      for (const int tensor : graph.nodes[at(node)].inputs) read_input(graph, static_cast<int>(i), tensor, given);
    }
  }

  void read_input(const Graph& graph, int layer, int tensor, const std::set<int>& given) {
    if (tensor < 0) return;
    const int producer = layer_of_tensor_[at(tensor)];
    if (producer >= 0 && producer < layer) return link(producer, layer, tensor);
    if (producer < 0 && given.count(tensor) > 0 && !graph.tensors[at(tensor)].constant)
      inputs_[at(layer)].push_back({-1, tensor});
  }

  const Network& network_;
  std::vector<std::vector<Input>> inputs_;
  std::vector<std::vector<int>> readers_;
  std::vector<bool> constant_;
  std::vector<int> layer_of_tensor_;
};

class BoxMaker {
 public:
  BoxMaker(const Network& network, NetworkDetail detail) : network_(network), detail_(detail), flows_(network) {}

  NetworkBoxes run() {
    result_.box_of_layer.assign(network_.layers.size(), -1);
    add_inputs();
    for (int layer = 0; layer < static_cast<int>(network_.layers.size()); ++layer) {
      if (!folded(layer)) add_layer(layer);
    }
    for (int layer = static_cast<int>(network_.layers.size()) - 1; layer >= 0; --layer) fold(layer);
    for (NetworkBox& box : result_.boxes) std::reverse(box.constants.begin(), box.constants.end());
    add_outputs();
    add_flows();
    return std::move(result_);
  }

 private:
  bool folded(int layer) const { return detail_ == NetworkDetail::blocks && flows_.constant(layer); }

  bool multiplies(int layer) const {
    const network::Layer& described = network_.layers[at(layer)];
    return described.macs() > 0 || operator_kind(described.operator_name) == OperatorKind::product;
  }

  void add_inputs() {
    if (!network_.graph) return;
    std::set<int> read;
    for (int layer = 0; layer < static_cast<int>(network_.layers.size()); ++layer)
      for (const auto& input : flows_.inputs(layer))
        if (input.layer < 0) read.insert(input.tensor);
    for (const int tensor : network_.graph->inputs) {
      if (read.erase(tensor) == 0) continue;
      input_boxes_.emplace_back(tensor, static_cast<int>(result_.boxes.size()));
      result_.boxes.push_back({NetworkBox::Role::input, {}, {}, -1, tensor, -1, 0});
    }
    std::sort(input_boxes_.begin(), input_boxes_.end());
  }

  void add_layer(int layer) {
    const int before = predecessor(layer);
    if (before >= 0) {
      NetworkBox& box = result_.boxes[at(result_.box_of_layer[at(before)])];
      result_.box_of_layer[at(layer)] = result_.box_of_layer[at(before)];
      box.layers.push_back(layer);
      return;
    }
    result_.box_of_layer[at(layer)] = static_cast<int>(result_.boxes.size());
    result_.boxes.push_back({NetworkBox::Role::layers, {layer}, {}, layer, -1, -1, 0});
  }

  /// The layer whose block this one continues, or -1.
  int predecessor(int layer) const {
    if (detail_ == NetworkDetail::operators || multiplies(layer)) return -1;
    int before = -1;
    for (const auto& input : flows_.inputs(layer)) {
      if (input.layer >= 0 && flows_.constant(input.layer)) continue;
      if (input.layer < 0 || (before >= 0 && before != input.layer)) return -1;
      before = input.layer;
    }
    if (before < 0 || flows_.is_output(before)) return -1;
    const auto& readers = flows_.readers(before);
    const bool only_reader = std::all_of(readers.begin(), readers.end(), [&](int reader) { return reader == layer; });
    return only_reader ? before : -1;
  }

  /// Readers come later, so in falling order they have their boxes.
  void fold(int layer) {
    if (!folded(layer)) return;
    for (const int reader : flows_.readers(layer)) {
      const int box = result_.box_of_layer[at(reader)];
      if (box < 0) continue;
      result_.box_of_layer[at(layer)] = box;
      result_.boxes[at(box)].constants.push_back(layer);
      return;
    }
  }

  void add_outputs() {
    if (!network_.graph) return;
    for (const int tensor : network_.graph->outputs) {
      const int layer = flows_.layer_of_tensor(tensor);
      if (layer < 0 || result_.box_of_layer[at(layer)] < 0) continue;
      outputs_.emplace_back(layer, static_cast<int>(result_.boxes.size()));
      result_.boxes.push_back({NetworkBox::Role::output, {}, {}, -1, tensor, -1, 0});
    }
  }

  void add_flows() {
    std::set<std::pair<int, int>> seen;
    const auto add = [&](int from, int to, int tensor) {
      if (from >= 0 && from < to && seen.emplace(from, to).second) result_.flows.push_back({from, to, tensor});
    };
    for (int layer = 0; layer < static_cast<int>(network_.layers.size()); ++layer) {
      if (folded(layer)) continue;
      for (const auto& input : flows_.inputs(layer)) {
        if (input.layer >= 0 && folded(input.layer)) continue;
        const int from = input.layer >= 0 ? result_.box_of_layer[at(input.layer)] : input_box(input.tensor);
        add(from, result_.box_of_layer[at(layer)], input.tensor);
      }
    }
    for (const auto& [layer, box] : outputs_) add(result_.box_of_layer[at(layer)], box, result_.boxes[at(box)].tensor);
  }

  int input_box(int tensor) const {
    const auto found = std::lower_bound(input_boxes_.begin(), input_boxes_.end(), std::pair(tensor, 0));
    return found != input_boxes_.end() && found->first == tensor ? found->second : -1;
  }

  const Network& network_;
  NetworkDetail detail_;
  Flows flows_;
  NetworkBoxes result_;
  std::vector<std::pair<int, int>> input_boxes_;  ///< tensor and box, by tensor
  std::vector<std::pair<int, int>> outputs_;      ///< layer and box
};

}  // namespace

std::vector<bool> constant_nodes(const Graph& graph) {
  std::vector<bool> tensors(graph.tensors.size(), false), nodes(graph.nodes.size(), false);
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i] = graph.tensors[i].constant != nullptr;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const network::Node& node = graph.nodes[i];
    const auto known = [&](int tensor) { return tensor < 0 || tensors[at(tensor)]; };
    nodes[i] = std::all_of(node.inputs.begin(), node.inputs.end(), known) ||
               (!node.outputs.empty() && std::all_of(node.outputs.begin(), node.outputs.end(), known));
    if (!nodes[i]) continue;
    for (const int tensor : node.outputs)
      if (tensor >= 0) tensors[at(tensor)] = true;
  }
  return nodes;
}

NetworkBoxes network_boxes(const Network& network, NetworkDetail detail) {
  NetworkBoxes boxes = BoxMaker(network, detail).run();
  choose_main_layers(boxes, network);
  return boxes;
}

void choose_main_layers(NetworkBoxes& boxes, const Network& network) {
  for (NetworkBox& box : boxes.boxes) {
    if (!box.layers.empty()) box.main = box.layers.front();
    for (const int layer : box.layers) {
      if (network.layers[at(layer)].macs() > network.layers[at(box.main)].macs()) box.main = layer;
    }
  }
}

}  // namespace convscope::ui
