// How the nodes of a file hang together.

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/readers/graphdef/operators.h"

namespace convscope::readers::graphdef {
namespace {

constexpr int most_outputs = 1024;           ///< of a node
constexpr std::size_t output_cap = 500'000;  ///< of all nodes

/// What an operator says about the maps that it takes: true for maps last, false for maps first.
std::optional<bool> says_maps_last(const NodeDef& node) {
  if (works_on_maps(node.operator_name)) return node.text("data_format", "NHWC") != "NCHW";
  return std::nullopt;
}

bool keeps_layout(const NodeDef& node) {
  const std::string& name = node.operator_name;
  return name != "Transpose" && name != "Reshape" && name != "Shape";
}

}  // namespace

Translation::Translation(const GraphDef& file, Report& report)
    : file_(file),
      report_(report),
      graph_(report),
      sources_(file.nodes.size()),
      consumers_(file.nodes.size()),
      outputs_used_(file.nodes.size(), 0),
      layouts_(file.nodes.size()) {}

std::string Translation::element(int index) const {
  return fmt::format("node '{}'", node(index).name);
}

/// "name" or "name:output"; nothing, perhaps with an error, for control alone and for what isn't there.
std::optional<Source> Translation::source_of(const std::string& input, int taker) {
  std::string_view name = input;
  const bool control = name.starts_with('^');
  if (control) name.remove_prefix(1);
  int output = 0;
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos) {
    const auto number = parse_integer<int>(name.substr(colon + 1));
    if (!number || *number < 0 || *number >= most_outputs) {
      report_.error(node(taker).line, element(taker), fmt::format("its input is '{}'", input),
                    fmt::format("'node' or 'node:output', with an output below {}", most_outputs));
      return std::nullopt;
    }
    output = *number;
    name = name.substr(0, colon);
  }
  const auto found = nodes_by_name_.find(name);
  if (found != nodes_by_name_.end()) return control ? std::nullopt : std::optional<Source>({found->second, output});
  if (!control)
    report_.error(node(taker).line, element(taker), fmt::format("it takes '{}', but there is no such node", input), {},
                  "a part of a graph was saved: its inputs must be Placeholders");
  return std::nullopt;
}

bool Translation::connect() {
  for (std::size_t i = 0; i < file_.nodes.size(); ++i) {
    const NodeDef& made = file_.nodes[i];
    if (made.name.empty() || made.operator_name.empty())
      report_.error(made.line, fmt::format("node {}", i), "it has no name or no operator", "name and op");
    else if (!nodes_by_name_.emplace(made.name, static_cast<int>(i)).second)
      report_.error(made.line, element(static_cast<int>(i)), "another node has the same name");
  }
  for (std::size_t i = 0; i < file_.nodes.size(); ++i) {
    for (const std::string& input : file_.nodes[i].inputs) {
      const auto source = source_of(input, static_cast<int>(i));
      if (!source) continue;
      sources_[i].push_back(*source);
      consumers_[static_cast<std::size_t>(source->node)].push_back(static_cast<int>(i));
      int& used = outputs_used_[static_cast<std::size_t>(source->node)];
      used = std::max(used, source->output + 1);
      ++uses_[*source];
    }
  }
  std::size_t outputs = 0;
  for (const int used : outputs_used_) outputs += static_cast<std::size_t>(used);
  if (outputs > output_cap)
    report_.error(0, {}, fmt::format("the nodes have {} outputs", outputs), fmt::format("at most {}", output_cap));
  return !report_.any_error();
}

int Translation::uses(const Source& source) const {
  const auto found = uses_.find(source);
  return found == uses_.end() ? 0 : found->second;
}

/// Of those that are ready the first in the file.
bool Translation::order(std::vector<int>& result) {
  std::vector<std::size_t> waits(sources_.size());
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    waits[i] = sources_[i].size();
    if (waits[i] == 0) ready.push(static_cast<int>(i));
  }
  while (!ready.empty()) {
    result.push_back(ready.top());
    ready.pop();
    for (const int consumer : consumers_[static_cast<std::size_t>(result.back())])
      if (--waits[static_cast<std::size_t>(consumer)] == 0) ready.push(consumer);
  }
  find_layouts(result);
  if (result.size() == sources_.size()) return true;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (waits[i] == 0) continue;
    report_.error(node(static_cast<int>(i)).line, element(static_cast<int>(i)),
                  fmt::format("{} nodes depend on each other in a circle", sources_.size() - result.size()));
    break;
  }
  return false;
}

void Translation::find_layouts(const std::vector<int>& order) {
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    std::optional<bool>& layout = layouts_[static_cast<std::size_t>(*at)];
    for (const int consumer : consumers_[static_cast<std::size_t>(*at)]) {
      layout = says_maps_last(node(consumer));
      if (!layout && keeps_layout(node(consumer))) layout = layouts_[static_cast<std::size_t>(consumer)];
      if (layout) break;
    }
  }
}

}  // namespace convscope::readers::graphdef
