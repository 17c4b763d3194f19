#include "core/readers/graphdef/graphdef.h"

#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/readers/graphdef/binary_form.h"
#include "core/readers/graphdef/operators.h"
#include "core/readers/graphdef/text_form.h"

namespace convscope::readers {
namespace {

using namespace graphdef;

constexpr const char* format_id = "graphdef";
constexpr const char* how_to_freeze =
    "freeze the graph: tf.compat.v1.graph_util.convert_variables_to_constants, or "
    "convert_variables_to_constants_v2 of a function, then save its as_graph_def()";

/// What a frozen graph doesn't have: nodes of some operators, of which the first is named.
struct Unfrozen {
  const char* what;
  std::set<std::string, std::less<>> operators;
};

const std::array<Unfrozen, 3>& unfrozen_kinds() {
  static const std::array<Unfrozen, 3> kinds{
      Unfrozen{"hold variables",
               {"Variable", "VariableV2", "VarHandleOp", "ReadVariableOp", "AutoReloadVariable", "TemporaryVariable",
                "Assign", "AssignVariableOp", "ResourceGather", "RestoreV2", "SaveV2"}},
      Unfrozen{
          "are loops or branches",
          {"Enter", "Exit", "NextIteration", "LoopCond", "Merge", "Switch", "RefEnter", "RefExit", "RefNextIteration",
           "RefMerge", "RefSwitch", "While", "StatelessWhile", "If", "StatelessIf", "Case", "StatelessCase"}},
      Unfrozen{"call functions", {"PartitionedCall", "StatefulPartitionedCall", "SymbolicGradient", "RemoteCall"}}};
  return kinds;
}

/// Errors, one a kind, so that hundreds of variables are one line.
void refuse_unfrozen(const GraphDef& graph, Report& report) {
  const std::set<std::string, std::less<>> functions(graph.functions.begin(), graph.functions.end());
  for (const Unfrozen& kind : unfrozen_kinds()) {
    std::size_t count = 0;
    const NodeDef* first = nullptr;
    for (const NodeDef& node : graph.nodes) {
      const bool calls = &kind == &unfrozen_kinds().back() && functions.count(node.operator_name) > 0;
      if (kind.operators.count(node.operator_name) == 0 && !calls) continue;
      if (++count == 1) first = &node;
    }
    if (first != nullptr)
      report.error(first->line, fmt::format("node '{}'", first->name),
                   fmt::format("the graph isn't frozen: {} nodes {}, this one ({}) first", count, kind.what,
                               first->operator_name),
                   "constants and operators alone", how_to_freeze);
  }
}

std::optional<GraphDef> parse(std::string_view bytes, std::shared_ptr<const void> owner, Report& report) {
  if (looks_like_text(bytes)) return parse_text(bytes, report);
  if (!looks_like_binary(bytes)) {
    report.error(0, {}, "the file is not a TensorFlow graph", "a GraphDef in binary or text form");
    return std::nullopt;
  }
  if (looks_like_saved_model(bytes)) {
    report.error(0, {}, "the file is a SavedModel, whose weights stand beside it", "a frozen GraphDef", how_to_freeze);
    return std::nullopt;
  }
  return parse_binary(bytes, std::move(owner), report);
}

}  // namespace

bool is_graphdef(std::string_view content) {
  return looks_like_binary(content) || looks_like_text(content);
}

std::optional<network::Network> read_graphdef_bytes(std::string_view bytes, std::shared_ptr<const void> owner,
                                                    const std::string& path, Diagnostics& diagnostics) {
  Report report(path, diagnostics);
  const auto graph = parse(bytes, std::move(owner), report);
  if (!graph) return std::nullopt;
  refuse_unfrozen(*graph, report);
  Translation translation(*graph, report);
  std::vector<int> order;
  if (report.any_error() || !translation.connect() || !translation.order(order)) return std::nullopt;
  for (const int node : order) translate(node, translation);
  if (!report.any_error() && translation.graph().graph().nodes.empty())
    report.error(0, {}, "the graph computes nothing", "operators behind a Placeholder");
  if (report.any_error()) return std::nullopt;
  network::Network network;
  network.graph = translation.finish();
  if (!network.graph || report.any_error()) return std::nullopt;
  network.name = stem_of(path);
  network.source_file = path;
  network.format = format_id;
  return network;
}

std::optional<network::Network> read_graphdef(const MappedFile& file, const std::string& path,
                                              Diagnostics& diagnostics) {
  return read_graphdef_bytes(file.bytes(), file.owner(), path, diagnostics);
}

}  // namespace convscope::readers
