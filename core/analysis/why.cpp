#include "core/analysis/why.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/schedule/explain/idle_text.h"

namespace convscope::analysis {
namespace {

using artifact::TaskDependence;
using artifact::TaskGraph;

constexpr std::size_t most_dependences = 6;  // told of an operation, each way

std::string times(int iterations) {
  return iterations == 0 ? "" : fmt::format(" of {} iteration{} before", iterations, iterations == 1 ? "" : "s");
}

/// "must start 2 cycles or more behind 'rd a', and 1 behind 'mac' of 1 iteration before".
void add_dependences(const TaskGraph& graph, int operation, std::vector<std::string>& lines) {
  std::vector<std::string> before, behind;
  for (const TaskDependence& each : graph.dependences) {
    const auto label = [&](int index) { return graph.operations[static_cast<std::size_t>(index)].label; };
    if (each.to == operation)
      before.push_back(fmt::format("{} behind '{}'{}", each.distance, label(each.from), times(each.iterations)));
    if (each.from == operation)
      behind.push_back(fmt::format("'{}' {}", label(each.to),
                                   each.iterations == 0
                                       ? fmt::format("{} later", each.distance)
                                       : fmt::format("{} later, {} iteration{} on", each.distance, each.iterations,
                                                     each.iterations == 1 ? "" : "s")));
  }
  const auto tell = [&](const char* words, std::vector<std::string>& list) {
    if (list.empty()) return;
    const std::size_t more = list.size() > most_dependences ? list.size() - most_dependences : 0;
    list.resize(list.size() - more);
    lines.push_back(
        fmt::format("{}{}{}", words, fmt::join(list, ", "), more == 0 ? "" : fmt::format(" and {} more", more)));
  };
  tell("stands no earlier than (cycles): ", before);
  tell("lets others stand no earlier than (cycles): ", behind);
}

int position_of(const TaskGraph& graph, artifact::OperationKey key) {
  const auto found = std::find_if(graph.operations.begin(), graph.operations.end(),
                                  [&](const artifact::TaskOperation& each) { return each.key == key; });
  return key == 0 || found == graph.operations.end() ? -1 : static_cast<int>(found - graph.operations.begin());
}

std::vector<std::string> operation_lines(const TaskGraph& graph, int operation) {
  std::vector<std::string> lines;
  const std::int64_t later = artifact::slack(graph)[static_cast<std::size_t>(operation)];
  lines.push_back(later == 0
                      ? "dependences let it stand no later, as long as the others stay"
                      : fmt::format("dependences let it stand up to {} cycle{} later, as long as the others stay",
                                    later, later == 1 ? "" : "s"));
  add_dependences(graph, operation, lines);
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

SlotReason reason_of(const artifact::Timeline& timeline, const TaskGraph* graph, int resource, std::int64_t cycle) {
  SlotReason slot{cycle, timeline.resources()[static_cast<std::size_t>(resource)], {}, -1, {}};
  timeline.visit(cycle, cycle + 1, [&](const artifact::PlacedCell& placed) {
    if (placed.cell->resource != resource) return;
    slot.occupant = placed.cell->label;
    slot.iteration = placed.iteration;
    slot.operation = placed.cell->operation;
    slot.looks = placed.cell->kind;
  });
  if (slot.occupant.empty()) {
    slot.lines = lines_of(schedule::idle_text(timeline, graph, resource, cycle));
    return slot;
  }
  const int position = graph == nullptr ? -1 : position_of(*graph, slot.operation);
  if (position >= 0) slot.lines = operation_lines(*graph, position);
  return slot;
}

bool has_cycle(const artifact::Timeline& timeline, std::int64_t cycle, const Location& where,
               Diagnostics& diagnostics) {
  if (cycle >= 0 && cycle < timeline.length()) return true;
  diagnostics.error(where, fmt::format("there is no cycle {}", cycle), fmt::format("0 to {}", timeline.length() - 1));
  return false;
}

}  // namespace

std::optional<SlotReason> slot_reason(const artifact::Timeline& timeline, const TaskGraph* graph,
                                      const std::string& resource, std::int64_t cycle, const Location& where,
                                      Diagnostics& diagnostics) {
  const auto& resources = timeline.resources();
  const auto named = std::find(resources.begin(), resources.end(), resource);
  if (named == resources.end())
    diagnostics.error(where, fmt::format("there is no resource '{}'", resource),
                      fmt::format("one of '{}'", fmt::join(resources, "', '")));
  if (!has_cycle(timeline, cycle, where, diagnostics) || named == resources.end()) return std::nullopt;
  return reason_of(timeline, graph, static_cast<int>(named - resources.begin()), cycle);
}

std::vector<SlotReason> slot_reasons(const artifact::Timeline& timeline, const TaskGraph* graph, std::int64_t cycle,
                                     const Location& where, Diagnostics& diagnostics) {
  std::vector<SlotReason> slots;
  if (!has_cycle(timeline, cycle, where, diagnostics)) return slots;
  for (int i = 0; i < static_cast<int>(timeline.resources().size()); ++i)
    slots.push_back(reason_of(timeline, graph, i, cycle));
  return slots;
}

std::optional<OperationReason> operation_reason(const TaskGraph& graph, artifact::OperationKey operation) {
  const int position = position_of(graph, operation);
  if (position < 0) return std::nullopt;
  return OperationReason{graph.operations[static_cast<std::size_t>(position)].label, operation_lines(graph, position)};
}

}  // namespace convscope::analysis
