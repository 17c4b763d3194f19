#include "core/readers/common/graph_builder.h"

#include <cassert>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/readers/common/maps.h"

namespace convscope::readers {
namespace {

using network::ElementType;

std::string unique(std::map<std::string, int>& names, const std::string& wanted) {
  std::string name = wanted.empty() ? "unnamed" : wanted;
  int& asked = names[name];
  if (asked++ == 0) return name;
  std::string numbered;
  do numbered = fmt::format("{}_{}", name, ++asked);
  while (names.count(numbered) != 0);
  names[numbered] = 1;
  return numbered;
}

}  // namespace

int GraphBuilder::tensor(const std::string& name, network::TensorShape shape, ElementType type) {
  graph_.tensors.push_back({unique(tensor_names_, name), type, std::move(shape), nullptr});
  return static_cast<int>(graph_.tensors.size()) - 1;
}

int GraphBuilder::input(const std::string& name, network::TensorShape shape, ElementType type) {
  const int index = tensor(name, std::move(shape), type);
  graph_.inputs.push_back(index);
  return index;
}

int GraphBuilder::constant(const std::string& name, std::vector<std::int64_t> dimensions, int line, ElementType type) {
  const int index = tensor(name, {true, dimensions, {}}, type);
  for (const std::int64_t dimension : dimensions)
    if (dimension < 0) return index;
  if (!element_count(dimensions)) {
    report_.error(line, fmt::format("tensor '{}'", name), fmt::format("its size is {}", fmt::join(dimensions, " x ")),
                  fmt::format("at most {} elements", network::element_cap));
    return index;
  }
  auto constant = std::make_shared<network::Constant>();
  constant->type = type;
  constant->dimensions = std::move(dimensions);
  constants_[index] = constant;
  graph_.tensors.back().constant = std::move(constant);
  return index;
}

int GraphBuilder::integers(const std::string& name, const std::vector<std::int64_t>& values) {
  const int index = constant(name, {static_cast<std::int64_t>(values.size())}, 0, ElementType::int64);
  give_values(*constant_of(index), values);
  return index;
}

int GraphBuilder::floats(const std::string& name, std::vector<std::int64_t> dimensions,
                         const std::vector<float>& values) {
  assert(element_count(dimensions) == static_cast<std::int64_t>(values.size()));
  const int index = constant(name, std::move(dimensions), 0);
  give_values(*constant_of(index), values);
  return index;
}

int GraphBuilder::filled(const std::string& name, std::vector<std::int64_t> dimensions, double value) {
  const int index = constant(name, std::move(dimensions), 0);
  if (network::Constant* made = constant_of(index)) made->fill = value;
  return index;
}

network::Constant* GraphBuilder::constant_of(int tensor) {
  const auto found = constants_.find(tensor);
  return found == constants_.end() ? nullptr : found->second.get();
}

int GraphBuilder::node(NodeParts parts, network::TensorShape shape, const std::string& output) {
  const int index = tensor(output.empty() ? parts.name : output, std::move(shape));
  node_to(std::move(parts), {index});
  return index;
}

void GraphBuilder::node_to(NodeParts parts, std::vector<int> outputs) {
  graph_.nodes.push_back({unique(node_names_, parts.name), std::move(parts.operator_name), std::move(parts.domain),
                          std::move(parts.inputs), std::move(outputs), std::move(parts.attributes), parts.line});
}

std::shared_ptr<const network::Graph> GraphBuilder::finish() {
  if (graph_.outputs.empty()) {
    std::vector<bool> consumed(graph_.tensors.size(), false);
    for (const network::Node& node : graph_.nodes)
      for (const int input : node.inputs)
        if (input >= 0) consumed[static_cast<std::size_t>(input)] = true;
    for (const network::Node& node : graph_.nodes)
      for (const int output : node.outputs)
        if (!consumed[static_cast<std::size_t>(output)]) graph_.outputs.push_back(output);
  }
  return std::make_shared<const network::Graph>(std::move(graph_));
}

}  // namespace convscope::readers
