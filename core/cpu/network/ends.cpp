#include "core/cpu/network/ends.h"

#include "core/network/graph.h"

namespace convscope::cpu {

Ends::Ends(const network::Network& network)
    : graph_(*network.graph), multiplies_(graph_.nodes.size()), left_out_(graph_.nodes.size()) {
  for (const network::Layer& layer : network.layers)
    if (layer.node >= 0 && layer.multiplies()) multiplies_[static_cast<std::size_t>(layer.node)] = true;
}

std::vector<bool> Ends::with_followers(std::size_t node) const {
  std::vector<bool> lacking(graph_.tensors.size()), nodes = left_out_;
  for (std::size_t i = node; i < nodes.size(); ++i) {
    const network::Node& at = graph_.nodes[i];
    nodes[i] = nodes[i] || i == node || std::any_of(at.inputs.begin(), at.inputs.end(), [&](int input) {
                 return input >= 0 && lacking[static_cast<std::size_t>(input)];
               });
    if (!nodes[i]) continue;
    for (const int output : at.outputs)
      if (output >= 0) lacking[static_cast<std::size_t>(output)] = true;
  }
  return nodes;
}

bool Ends::leave_out(std::size_t node, const std::string& why) {
  std::vector<bool> nodes = with_followers(node);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] && multiplies_[i]) return false;
  if (empty()) first_ = {node, why};
  left_out_ = std::move(nodes);
  return true;
}

std::vector<std::string> Ends::names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (left_out_[i]) names.push_back(graph_.nodes[i].name);
  return names;
}

std::vector<int> Ends::outputs() const {
  std::vector<bool> made(graph_.tensors.size()), read(graph_.tensors.size());
  const auto mark = [](const std::vector<int>& tensors, std::vector<bool>& marked) {
    for (const int tensor : tensors)
      if (tensor >= 0) marked[static_cast<std::size_t>(tensor)] = true;
  };
  mark(graph_.outputs, read);
  for (std::size_t i = 0; i < left_out_.size(); ++i) {
    if (left_out_[i])
      mark(graph_.nodes[i].inputs, read);
    else
      mark(graph_.nodes[i].outputs, made);
  }
  std::vector<int> outputs;
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] && read[i]) outputs.push_back(static_cast<int>(i));
  return outputs;
}

network::Graph Ends::rest() const {
  network::Graph rest = graph_;
  if (empty()) return rest;
  rest.nodes.clear();
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (!left_out_[i]) rest.nodes.push_back(graph_.nodes[i]);
  rest.outputs = outputs();
  return rest;
}

}  // namespace convscope::cpu
