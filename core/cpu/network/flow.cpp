#include "core/cpu/network/flow.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/network/step_maker.h"

namespace convscope::cpu {
namespace {

class Builder {
 public:
  Builder(const network::Network& network, const TensorValues& values, const Ends& ends)
      : network_(network),
        graph_(*network.graph),
        ends_(ends),
        outputs_(ends.outputs()),
        read_(graph_, values),
        tensors_(graph_, read_, flow_),
        maker_(network, read_, tensors_) {
    for (const network::Node& node : graph_.nodes)
      for (const int input : node.inputs)
        if (input >= 0) ++uses_[input];
    for (const int output : outputs_) uses_[output] += 2;  // somebody outside reads it
  }

  /// Throws Refusal.
  Flow run() {
    for (const int input : graph_.inputs)
      if (!read_.fixed(input)) flow_.inputs.push_back(tensors_.make_image(input));
    for (at_ = 0; at_ < graph_.nodes.size(); ++at_)
      if (!ends_.is_left_out(at_)) take(graph_.nodes[at_]);
    for (const int output : outputs_)
      if (!read_.fixed(output)) flow_.outputs.push_back(tensors_.known(output));
    flow_.left_out = ends_.names();
    return std::move(flow_);
  }

  /// The node that is being taken; as many as there are: none.
  std::size_t at() const { return at_; }

 private:
  void take(const network::Node& node) {
    if (node.outputs.empty() || node.outputs.front() < 0 || read_.fixed(node.outputs.front())) return;
    if (node.operator_name == "Split") return split(node);
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
      if (node.outputs[i] >= 0 && uses_[node.outputs[i]] > 0) throw Refusal{"its second output is read", {}};
    if (const auto operations = read_.element_operations(node); !operations.empty()) return append(operations, node);
    finish(maker_.step_of(node, layer_of(at_)), node, node.outputs.front());
  }

  void finish(Step step, const network::Node& node, int output) {
    step.name = node.name;
    step.layer = layer_of(at_);
    step.output = tensors_.make(output);
    if (const auto& p = step.problem)
      flow_.taps += std::int64_t{p->kernel_height} * p->kernel_width * p->group_channels();
    flow_.steps.push_back(std::move(step));
  }

  /// A step for each part that is read.
  void split(const network::Node& node) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] >= 0 && uses_[node.outputs[i]] > 0) finish(maker_.movement(node, i), node, node.outputs[i]);
  }

  int layer_of(std::size_t node) const {
    const auto found = std::find_if(network_.layers.begin(), network_.layers.end(),
                                    [&](const network::Layer& layer) { return layer.node == static_cast<int>(node); });
    return found == network_.layers.end() ? -1 : static_cast<int>(found - network_.layers.begin());
  }

  /// To the step that makes its input, if nobody else reads that; else a step of its own.
  void append(const std::vector<ElementOperation>& operations, const network::Node& node) {
    const int input = read_.moving_input(node), place = tensors_.known(input), output = node.outputs.front();
    Step* maker = nullptr;
    for (Step& step : flow_.steps)
      if (step.output == place) maker = &step;
    if (uses_[input] == 1 && maker != nullptr && maker->kind != StepKind::reshape &&
        maker->kind != StepKind::movement && !maker->as) {
      maker->after.insert(maker->after.end(), operations.begin(), operations.end());
      maker->name += "+" + node.name;
      return tensors_.rename(place, output);
    }
    Step step;
    step.inputs = {place};
    step.after = operations;
    finish(std::move(step), node, output);
  }

  const network::Network& network_;
  const network::Graph& graph_;
  const Ends& ends_;
  const std::vector<int> outputs_;
  const NodeValues read_;
  Flow flow_;
  FlowTensors tensors_;
  const StepMaker maker_;
  std::map<int, int> uses_;
  std::size_t at_ = static_cast<std::size_t>(-1);
};

}  // namespace

std::optional<Flow> flow_of(const network::Network& network, const TensorValues& values, Diagnostics& diagnostics) {
  if (network.graph) return flow_of(network, values, Ends(network), diagnostics);
  diagnostics.error({network.source_file, 0, {}}, "the network isn't measured as a whole: its format has no operators",
                    "a graph, such as ONNX");
  return std::nullopt;
}

std::optional<Flow> flow_of(const network::Network& network, const TensorValues& values, Ends ends,
                            Diagnostics& diagnostics) {
  const auto refuse = [&](std::size_t node, const Refusal& refusal) {
    const auto& nodes = network.graph->nodes;
    const bool known = node < nodes.size();
    const Location where{
        network.source_file, known ? nodes[node].source_line : 0,
        known ? fmt::format("{} ({})", nodes[node].name, nodes[node].operator_name) : std::string("graph")};
    diagnostics.error(where, "the network isn't measured as a whole: " + refusal.why, refusal.expected);
    return std::nullopt;
  };
  for (;;) {
    Builder builder(network, values, ends);
    try {
      Flow flow = builder.run();
      if (ends.empty() || flow.taps > 0) return flow;
      return refuse(ends.first_node(), {ends.first_reason(), {}});
    } catch (const Refusal& refusal) {
      const bool node = builder.at() < network.graph->nodes.size();
      if (!node || !ends.leave_out(builder.at(), refusal.why)) return refuse(builder.at(), refusal);
    }
  }
}

void store_as(Flow& flow, const flyte::Storage& activations, const flyte::Storage& weights) {
  flow.stored = activations;
  for (Step& step : flow.steps)
    if (step.problem) step.problem->stored = {activations, weights, activations};
}

std::vector<float> rows_columns_channels(const TensorValue& value, const Extents& extents) {
  return channels_last(value.values, 1, extents.at('C'), extents.at('H') * extents.at('W'));
}

}  // namespace convscope::cpu
