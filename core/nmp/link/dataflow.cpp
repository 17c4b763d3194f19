#include "core/nmp/link/dataflow.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "core/network/graph.h"

namespace convscope::nmp {
namespace {

using network::Graph;
using network::Node;

class FlowMaker {
 public:
  FlowMaker(const network::Network& network, const OperatorPlan& plan, const std::vector<const SolvedLayer*>& solved)
      : network_(network), graph_(*network.graph), plan_(plan), solved_(solved), producers_(graph_.producers()) {
    nodes_.resize(graph_.nodes.size());
    for (std::size_t i = 0; i < network.layers.size(); ++i) classify(static_cast<int>(i));
    parents_.resize(graph_.tensors.size());
  }

  Dataflow make() {
    leave_ends_to_host();
    for (std::size_t i = graph_.nodes.size(); i-- > 0 && flow_.reason.empty();)
      if (nodes_[i].role == Role::joins || nodes_[i].role == Role::runs) join(nodes_[i], graph_.nodes[i]);
    for (std::size_t i = 0; i < graph_.nodes.size() && flow_.reason.empty(); ++i) visit(static_cast<int>(i));
    if (flow_.reason.empty() && flow_.steps.empty()) flow_.reason = "none of its layers has a program";
    for (const int tensor : graph_.outputs)
      if (tensor >= 0) keep(tensor);
    return std::move(flow_);
  }

 private:
  enum class Role : std::uint8_t { missing, constant, runs, same, joins, splits };
  struct NodeRole {
    Role role = Role::missing;
    int layer = -1;
    int fused = -1;  ///< of sums that a layer before computes: the operand that its results are in
    int lacks = -1;  ///< node without a program that it comes from, or that it is
  };
  /// A tensor that lies in another one.
  struct Parent {
    int tensor = -1;
    std::int64_t first_element = 0;
  };

  void classify(int index) {
    const network::Layer& layer = network_.layers[static_cast<std::size_t>(index)];
    if (layer.node < 0 || static_cast<std::size_t>(layer.node) >= nodes_.size()) return;
    NodeRole& role = nodes_[static_cast<std::size_t>(layer.node)];
    role.layer = index;
    const OperatorUse& use = plan_.uses[static_cast<std::size_t>(index)];
    role.fused = use.fused;
    if (solved_[static_cast<std::size_t>(index)])
      role.role = solved_[static_cast<std::size_t>(index)]->work().no_program.empty() ? Role::runs : Role::missing;
    else if (use.kind == OperatorUse::Kind::free)
      role.role = layer.operator_name == "Concat"                                      ? Role::joins
                  : !use.offsets.empty()                                               ? Role::splits
                  : data_input(graph_.nodes[static_cast<std::size_t>(layer.node)]) < 0 ? Role::constant
                                                                                       : Role::same;
  }

  bool is_data(int tensor) const { return tensor >= 0 && !graph_.tensors[static_cast<std::size_t>(tensor)].constant; }
  int data_input(const Node& node) const {
    const auto found = std::find_if(node.inputs.begin(), node.inputs.end(), [&](int t) { return is_data(t); });
    return found == node.inputs.end() ? -1 : *found;
  }
  std::int64_t elements(int tensor) const {
    return graph_.tensors[static_cast<std::size_t>(tensor)].shape.elements().value_or(-1);
  }
  const NodeRole* producer(int tensor) const {
    const int node = producers_[static_cast<std::size_t>(tensor)];
    return node < 0 ? nullptr : &nodes_[static_cast<std::size_t>(node)];
  }

  /// The tensor that has the values, and where in it.
  Parent root(int tensor) const {
    Parent at{tensor, 0};
    while (const NodeRole* const role = producer(at.tensor)) {
      const Node& node = graph_.nodes[static_cast<std::size_t>(producers_[static_cast<std::size_t>(at.tensor)])];
      const int source = role->fused >= 0 ? role->fused : data_input(node);
      if (role->role == Role::splits)
        at.first_element += offset_of(*role, node, at.tensor);
      else if (role->role != Role::same)
        break;
      at.tensor = source;
    }
    return at;
  }
  /// Where in the tensor that it is a part of an output begins.
  std::int64_t offset_of(const NodeRole& role, const Node& node, int output) const {
    const auto place = std::find(node.outputs.begin(), node.outputs.end(), output) - node.outputs.begin();
    return use_of_layer(role.layer).offsets[static_cast<std::size_t>(place)];
  }
  const OperatorUse& use_of_layer(int layer) const { return plan_.uses[static_cast<std::size_t>(layer)]; }

  Parent place_of(int tensor) const {
    Parent at = root(tensor);
    while (parents_[static_cast<std::size_t>(at.tensor)].tensor >= 0) {
      const Parent& parent = parents_[static_cast<std::size_t>(at.tensor)];
      at = {parent.tensor, at.first_element + parent.first_element};
    }
    return at;
  }

  // What isn't placed is copied by the concatenation itself.
  void join(const NodeRole& role, const Node& node) {
    if (node.operator_name != "Concat") return;
    const std::vector<bool>& placed = use_of_layer(role.layer).placed;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const int part = node.inputs[i];
      if (!placed.empty() && !placed[i]) {
        first += elements(part);
        continue;
      }
      const Parent at = root(part);
      Parent& parent = parents_[static_cast<std::size_t>(at.tensor)];
      const bool whole = at.first_element == 0 && elements(at.tensor) == elements(part);
      if (!producer(at.tensor) || parent.tensor >= 0 || !whole) {
        flow_.reason = fmt::format("'{}' joins what already lies elsewhere", node.name);
        return;
      }
      parent = {node.outputs.front(), first};
      first += elements(part);
    }
  }

  /// Views read one tensor; what else they are given says their shape, which is known.
  std::vector<int> read_by(std::size_t node) const {
    std::vector<int> tensors;
    const NodeRole& role = nodes_[node];
    const bool one = (role.role == Role::same || role.role == Role::splits) && role.fused < 0;
    for (const int tensor : graph_.nodes[node].inputs)
      if (is_data(tensor) && (!one || tensors.empty())) tensors.push_back(tensor);
    if (role.layer >= 0 && residual_of(role.layer) >= 0) tensors.push_back(residual_of(role.layer));
    return tensors;
  }

  int residual_of(int layer) const { return use_of_layer(layer).residual; }

  /// Node without a program that this one comes from; -1: none.
  int lacking(std::size_t node) const {
    for (const int tensor : read_by(node)) {
      const NodeRole* const from = producer(tensor);
      if (from && from->role == Role::missing) return from->lacks;
    }
    return -1;
  }

  // What follows a layer that NMP has no program for is the host's as well, unless it multiplies: then most of the work
  // would be.
  void leave_ends_to_host() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      NodeRole& node = nodes_[i];
      if (node.role == Role::constant) continue;
      node.lacks = node.role == Role::missing ? static_cast<int>(i) : lacking(i);
      if (node.lacks < 0) continue;
      const Node& lacks = graph_.nodes[static_cast<std::size_t>(node.lacks)];
      if (node.role == Role::runs && multiplies(node) && flow_.reason.empty())
        flow_.reason = fmt::format("'{}' needs '{}' ({}), which NMP has no program for", graph_.nodes[i].name,
                                   lacks.name, lacks.operator_name);
      node.role = Role::missing;
    }
    mark_needed();
  }

  bool multiplies(const NodeRole& node) const {
    return network_.layers[static_cast<std::size_t>(node.layer)].multiplies();
  }

  /// Shapes that others compute are known, and nobody need compute them.
  void mark_needed() {
    std::vector<bool> tensors(graph_.tensors.size());
    for (const int tensor : graph_.outputs)
      if (tensor >= 0) tensors[static_cast<std::size_t>(tensor)] = true;
    needed_.resize(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const std::vector<int>& outputs = graph_.nodes[i].outputs;
      needed_[i] = std::any_of(outputs.begin(), outputs.end(),
                               [&](int tensor) { return tensor >= 0 && tensors[static_cast<std::size_t>(tensor)]; });
      if (needed_[i])
        for (const int tensor : read_by(i)) tensors[static_cast<std::size_t>(tensor)] = true;
    }
  }

  void visit(int index) {
    const Node& node = graph_.nodes[static_cast<std::size_t>(index)];
    NodeRole& role = nodes_[static_cast<std::size_t>(index)];
    if (role.role == Role::constant) return;
    if (role.role == Role::missing) {
      if (needed_[static_cast<std::size_t>(index)]) leave_to_host(node);
    } else if (role.role == Role::runs) {
      add_step(role.layer, node);
    } else if (role.role == Role::same &&
               (role.fused >= 0 || plan_.uses[static_cast<std::size_t>(role.layer)].folded)) {
      fold(index);
    } else {
      flow_.views.push_back(index);
    }
  }

  void leave_to_host(const Node& node) {
    flow_.left_out.push_back(node.name);
    for (const int tensor : node.inputs)
      if (is_data(tensor) && producer(tensor) && producer(tensor)->role != Role::missing) keep(tensor);
  }

  void fold(int index) {
    const Node& node = graph_.nodes[static_cast<std::size_t>(index)];
    const int from = producers_[static_cast<std::size_t>(root(node.outputs.front()).tensor)];
    for (LinkedStep& step : flow_.steps) {
      if (network_.layers[static_cast<std::size_t>(step.layer)].node != from) continue;
      step.rectifies |= node.operator_name == "Relu" || node.operator_name == "Clip";
      step.folded.push_back(index);
      step.out.tensor = node.outputs.front();
    }
  }

  void add_step(int layer, const Node& node) {
    const LayerWork& work = solved_[static_cast<std::size_t>(layer)]->work();
    const Convolution& c = work.convolution;
    const std::int64_t groups = c.combines() ? 1 : c.repeats;
    const std::int64_t in_maps = std::int64_t{c.depthwise ? c.units : c.channels} * groups;
    const std::int64_t in = in_maps * c.rows.in * c.columns.in;
    const std::int64_t out = std::int64_t{c.units} * c.maps_per_unit * groups * c.rows.out * c.columns.out;
    const std::vector<int> operands = operands_of(layer, node);
    LinkedStep step;
    step.layer = layer;
    if (c.scattered)
      read_all(node, operands, step);
    else
      step.in = part_of(read_tensor(node, operands.front(), in, use_of_layer(layer).first_input), layer, in);
    if (c.combines()) read_others(node, operands, c.operation == Operator::spread ? c.units : in, step);
    if (c.residual) step.residual = read_tensor(node, residual_of(layer), out);
    if (!flow_.reason.empty()) return;
    const int result = node.outputs.front();
    if (elements(result) != out && !c.scattered) {
      flow_.reason =
          fmt::format("'{}' computes {} elements in equal pieces; its output has {}", node.name, out, elements(result));
      return;
    }
    step.out = use_of(result, step_number());
    Storage& storage = flow_.storages[static_cast<std::size_t>(step.out.storage)];
    if (storage.first_step < 0) storage.first_step = step_number();
    flow_.steps.push_back(step);
  }

  int step_number() const { return static_cast<int>(flow_.steps.size()); }

  /// In the order in which the layer takes them.
  std::vector<int> operands_of(int layer, const Node& node) const {
    const OperatorUse& use = use_of_layer(layer);
    if (!use.tensors.empty()) return use.tensors;
    return node.inputs.empty() ? std::vector<int>{-1} : node.inputs;
  }

  /// What the layer sees of its first operand.
  StorageUse part_of(StorageUse whole, int layer, std::int64_t elements) const {
    const std::int64_t first = use_of_layer(layer).first_input;
    if (whole.storage < 0) return whole;
    return {whole.storage, whole.first_element + first, elements, whole.tensor};
  }

  // Copies take what they like of each.
  void read_all(const Node& node, const std::vector<int>& operands, LinkedStep& step) {
    for (std::size_t i = 0; i < operands.size() && flow_.reason.empty(); ++i) {
      const StorageUse use = read_tensor(node, operands[i], elements(operands[i]));
      if (i == 0)
        step.in = use;
      else
        step.more.push_back(use);
    }
  }

  // A constant is W.
  void read_others(const Node& node, const std::vector<int>& operands, std::int64_t expected, LinkedStep& step) {
    for (std::size_t i = 1; i < operands.size() && flow_.reason.empty(); ++i) {
      StorageUse use;
      if (is_data(operands[i])) use = read_tensor(node, operands[i], expected);
      if (i == 1)
        step.other = use;
      else
        step.more.push_back(use);
    }
  }

  /// `first`: of it, the first that is read; then there may be more than are.
  StorageUse read_tensor(const Node& node, int tensor, std::int64_t expected, std::int64_t first = 0) {
    if (!flow_.reason.empty()) return {};
    if (!is_data(tensor)) {
      flow_.reason = fmt::format("'{}' has an operand that is constant", node.name);
      return {};
    }
    const std::int64_t there = elements(tensor);
    if (there != expected && !(takes_parts(node) && first + expected <= there)) {
      flow_.reason =
          fmt::format("'{}' reads {} elements of an input that has {}", node.name, expected, elements(tensor));
      return {};
    }
    return use_of(tensor, step_number());
  }

  static bool takes_parts(const Node& node) { return node.operator_name == "Slice"; }

  StorageUse use_of(int tensor, int step) {
    const Parent at = place_of(tensor);
    const auto [place, is_new] = storages_.try_emplace(at.tensor, static_cast<int>(flow_.storages.size()));
    if (is_new)
      flow_.storages.push_back(
          {graph_.tensors[static_cast<std::size_t>(at.tensor)].name, elements(at.tensor), -1, step});
    Storage& storage = flow_.storages[static_cast<std::size_t>(place->second)];
    storage.last_step = std::max(storage.last_step, step);
    return {place->second, at.first_element, elements(tensor), tensor};
  }

  /// To the end: the host reads it.
  void keep(int tensor) {
    if (!flow_.reason.empty()) return;
    const auto found = storages_.find(place_of(tensor).tensor);
    if (found == storages_.end()) return;
    flow_.storages[static_cast<std::size_t>(found->second)].last_step = INT32_MAX;
  }

  const network::Network& network_;
  const Graph& graph_;
  const OperatorPlan& plan_;
  const std::vector<const SolvedLayer*>& solved_;
  std::vector<int> producers_;
  std::vector<NodeRole> nodes_;
  std::vector<bool> needed_;  // by node: the network's outputs come from it
  std::vector<Parent> parents_;
  std::map<int, int> storages_;  // by tensor
  Dataflow flow_;
};

}  // namespace

Dataflow dataflow_of(const network::Network& network, const OperatorPlan& plan,
                     const std::vector<const SolvedLayer*>& solved) {
  if (!network.graph) return {{}, {}, {}, {}, "the network says nothing of what its layers read"};
  Dataflow flow = FlowMaker(network, plan, solved).make();
  for (Storage& storage : flow.storages)
    storage.last_step = std::min(storage.last_step, static_cast<int>(flow.steps.size()));
  return flow;
}

void write_sums_in_place(Dataflow& flow) {
  for (std::size_t i = 0; i < flow.steps.size(); ++i) {
    LinkedStep& step = flow.steps[i];
    if (step.other.storage < 0 && step.residual.storage < 0) continue;
    const Storage out = flow.storages[static_cast<std::size_t>(step.out.storage)];
    for (const StorageUse& operand : {step.in, step.other, step.residual}) {
      if (operand.storage < 0 || (step.residual.storage >= 0 && operand.storage == step.in.storage)) continue;
      // What is added later must be there until then.
      if (std::any_of(step.more.begin(), step.more.end(),
                      [&](const StorageUse& use) { return use.storage == operand.storage; }))
        continue;
      Storage& old = flow.storages[static_cast<std::size_t>(operand.storage)];
      const bool dies = old.last_step == static_cast<int>(i) && old.elements == out.elements &&
                        step.out.first_element == 0 && operand.first_element == 0 &&
                        out.first_step == static_cast<int>(i);
      if (!dies) continue;
      old.last_step = out.last_step;
      const int replaced = step.out.storage;
      for (LinkedStep& other : flow.steps) {
        for (StorageUse* use : {&other.in, &other.other, &other.residual, &other.out})
          if (use->storage == replaced) use->storage = operand.storage;
        for (StorageUse& use : other.more)
          if (use.storage == replaced) use.storage = operand.storage;
      }
      flow.storages[static_cast<std::size_t>(replaced)].elements = 0;
      break;
    }
  }
}

}  // namespace convscope::nmp
