#include "core/analysis/why.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/schedule/explain/idle_text.h"

namespace convscope::analysis {
namespace {

using artifact::TaskDependence;
using artifact::TaskGraph;
using Json = nlohmann::ordered_json;

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

void add_operation(const TaskGraph& graph, artifact::OperationKey key, std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < graph.operations.size(); ++i) {
    if (graph.operations[i].key != key) continue;
    const std::int64_t later = artifact::slack(graph)[i];
    lines.push_back(later == 0
                        ? "dependences let it stand no later, as long as the others stay"
                        : fmt::format("dependences let it stand up to {} cycle{} later, as long as the others stay",
                                      later, later == 1 ? "" : "s"));
    return add_dependences(graph, static_cast<int>(i), lines);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

Json slot_json(const SlotReason& slot) {
  Json json{{"cycle", slot.cycle}, {"resource", slot.resource}};
  if (!slot.occupant.empty()) json["operation"] = slot.occupant;
  if (slot.iteration >= 0) json["iteration"] = slot.iteration;
  json["reasons"] = slot.lines;
  return json;
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
  if (cycle < 0 || cycle >= timeline.length())
    diagnostics.error(where, fmt::format("there is no cycle {}", cycle), fmt::format("0 to {}", timeline.length() - 1));
  if (diagnostics.has_errors()) return std::nullopt;
  const int index = static_cast<int>(named - resources.begin());
  SlotReason slot{cycle, resource, {}, -1, {}};
  artifact::OperationKey key = 0;
  timeline.visit(cycle, cycle + 1, [&](const artifact::PlacedCell& placed) {
    if (placed.cell->resource != index) return;
    slot.occupant = placed.cell->label;
    slot.iteration = placed.iteration;
    key = placed.cell->operation;
  });
  if (slot.occupant.empty())
    slot.lines = lines_of(schedule::idle_text(timeline, graph, index, cycle));
  else if (graph != nullptr && key != 0)
    add_operation(*graph, key, slot.lines);
  return slot;
}

std::string why_text(const Why& why) {
  std::string text = fmt::format("{}: {}\n", why.layer, why.explanation.summary);
  for (const artifact::ExplainedBound& each : why.explanation.bounds)
    text += fmt::format("bound {}: {} cycles{}{}{}\n", each.bound.kind, each.bound.cycles,
                        each.bound.proven ? ", proven" : "", each.text.empty() ? "" : "; ", each.text);
  for (const artifact::RejectedAlternative& each : why.explanation.rejected)
    text +=
        fmt::format("instead {}: {}{}\n", each.name,
                    each.fits ? format_quantity(each.seconds) + (each.reason.empty() ? "" : "; ") : "", each.reason);
  if (!why.slot) return text;
  const SlotReason& slot = *why.slot;
  text += fmt::format("cycle {}, {}: {}\n", slot.cycle, slot.resource,
                      slot.occupant.empty() ? "nothing"
                      : slot.iteration < 0  ? fmt::format("'{}'", slot.occupant)
                                            : fmt::format("'{}' of iteration {}", slot.occupant, slot.iteration));
  for (const std::string& line : slot.lines) text += "  " + line + "\n";
  return text;
}

std::string why_json(const Why& why) {
  Json json{{"schema", "convscope-why"}, {"version", 1}, {"layer", why.layer}};
  json["summary"] = why.explanation.summary;
  json["bounds"] = Json::array();
  for (const artifact::ExplainedBound& each : why.explanation.bounds)
    json["bounds"].push_back({{"kind", each.bound.kind},
                              {"cycles", each.bound.cycles},
                              {"proven", each.bound.proven},
                              {"seconds", each.seconds.value},
                              {"origin", origin_name(each.seconds.origin)},
                              {"text", each.text}});
  json["rejected"] = Json::array();
  for (const artifact::RejectedAlternative& each : why.explanation.rejected) {
    Json other{{"name", each.name}, {"fits", each.fits}, {"reason", each.reason}};
    if (each.fits) other["seconds"] = each.seconds.value;
    json["rejected"].push_back(std::move(other));
  }
  if (why.slot) json["slot"] = slot_json(*why.slot);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace convscope::analysis
