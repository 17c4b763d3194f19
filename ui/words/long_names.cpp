#include "ui/words/long_names.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/shortened.h"
#include "core/network/graph.h"

namespace convscope::ui {
namespace {

bool shorten(std::string& name, std::size_t number) {
  if (name.size() <= longest_name) return false;
  name = fmt::format("{} (#{})", shown_name(name), number + 1);
  return true;
}

std::size_t shorten_names(network::Graph& graph) {
  std::size_t count = 0;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    network::Node& node = graph.nodes[n];
    shorten(node.name, n);
    shorten(node.operator_name, 0);
    shorten(node.domain, 0);
  }
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    count += shorten(graph.tensors[t].name, t) ? 1 : 0;
    for (std::string& symbol : graph.tensors[t].shape.symbols) shorten(symbol, 0);
  }
  return count;
}

bool is_long(const std::string& name) {
  return name.size() > longest_name;
}

bool has_long_name(const explore::SweepTable& table) {
  const auto in_column = [](const explore::SweepColumn& column) {
    return is_long(column.label) || is_long(column.unit) ||
           std::any_of(column.names.begin(), column.names.end(), is_long);
  };
  return is_long(table.title) || is_long(table.state) ||
         std::any_of(table.reasons.begin(), table.reasons.end(), is_long) ||
         std::any_of(table.removed.begin(), table.removed.end(),
                     [](const auto& each) { return is_long(each.first); }) ||
         std::any_of(table.columns.begin(), table.columns.end(), in_column);
}

bool has_long_name(const network::Graph& graph) {
  for (const network::Node& node : graph.nodes)
    if (is_long(node.name) || is_long(node.operator_name) || is_long(node.domain)) return true;
  for (const network::Tensor& tensor : graph.tensors) {
    if (is_long(tensor.name)) return true;
    for (const std::string& symbol : tensor.shape.symbols)
      if (is_long(symbol)) return true;
  }
  return false;
}

}  // namespace

std::string shown_name(const std::string& name) {
  constexpr std::size_t kept = 900;
  return name.size() <= longest_name ? name : shortened(name, kept);
}

std::size_t shorten_names(network::Network& network) {
  std::size_t count = 0;
  shorten(network.name, 0);
  shorten(network.format, 0);
  for (std::size_t l = 0; l < network.layers.size(); ++l) {
    count += shorten(network.layers[l].name, l) ? 1 : 0;
    shorten(network.layers[l].operator_name, 0);
  }
  if (network.graph && has_long_name(*network.graph)) {
    auto graph = std::make_shared<network::Graph>(*network.graph);
    count += shorten_names(*graph);
    network.graph = std::move(graph);
  }
  return count;
}

std::shared_ptr<const explore::SweepTable> shown_table(std::shared_ptr<const explore::SweepTable> table) {
  if (!table || !has_long_name(*table)) return table;
  auto shown = std::make_shared<explore::SweepTable>(*table);
  shown->title = shown_name(shown->title);
  shown->state = shown_name(shown->state);
  for (std::string& reason : shown->reasons) reason = shown_name(reason);
  shown->removed.clear();
  for (const auto& [reason, points] : table->removed) shown->removed[shown_name(reason)] += points;
  for (explore::SweepColumn& column : shown->columns) {
    column.label = shown_name(column.label);
    column.unit = shown_name(column.unit);
    for (std::string& name : column.names) name = shown_name(name);
  }
  return shown;
}

}  // namespace convscope::ui
