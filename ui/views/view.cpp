#include "ui/views/view.h"

#include <algorithm>

#include "ui/views/memory/memory_painter.h"
#include "ui/views/network_graph/network_graph_painter.h"
#include "ui/views/program/program_painter.h"
#include "ui/views/roofline/roofline_view.h"
#include "ui/views/schedule/schedule_painter.h"
#include "ui/views/task_graph/task_graph_painter.h"
#include "ui/views/traffic/traffic_view.h"
#include "ui/views/utilization/utilization_view.h"

namespace convscope::ui {
namespace {

using CompiledLayer = std::shared_ptr<const target::CompiledLayer>;

CompiledLayer layer_of(const engine::CompiledNetwork* run, int layer) {
  if (!run || layer < 0 || layer >= static_cast<int>(run->layers.size())) return nullptr;
  return run->layers[static_cast<std::size_t>(layer)];
}

}  // namespace

CompiledLayer Snapshot::layer() const {
  if (CompiledLayer current = layer_of(compiled.get(), selection.layer)) return current;
  // Figures of another network's layer would be wrong, not stale.
  if (compiled && previous && compiled->network != previous->network) return nullptr;
  return layer_of(previous.get(), selection.layer);
}

int Snapshot::program() const {
  const CompiledLayer shown = layer();
  if (!shown || shown->program_count() <= 0) return 0;
  const int holder = selection.operation != 0 ? shown->program_of(selection.operation) : -1;
  return std::clamp(holder >= 0 ? holder : selection.program, 0, shown->program_count() - 1);
}

const std::vector<ViewEntry>& view_entries() {
  static const std::vector<ViewEntry> entries = {
      {QStringLiteral("network-graph"), QStringLiteral("Network"), make_network_graph_painter,
       make_network_graph_widget},
      {QStringLiteral("schedule"), QStringLiteral("Schedule"), make_schedule_painter, make_schedule_widget},
      {QStringLiteral("task-graph"), QStringLiteral("Task graph"), make_task_graph_painter, make_task_graph_widget},
      {QStringLiteral("program"), QStringLiteral("Program"), make_program_painter, make_program_widget},
      {QStringLiteral("memory"), QStringLiteral("Memory"), make_memory_painter, make_memory_widget},
      {QStringLiteral("roofline"), QStringLiteral("Roofline"), make_roofline_painter, make_roofline_widget},
      {QStringLiteral("utilization"), QStringLiteral("Utilization"), make_utilization_painter, make_utilization_widget},
      {QStringLiteral("traffic"), QStringLiteral("Traffic"), make_traffic_painter, make_traffic_widget},
  };
  return entries;
}

const ViewEntry* find_view(const QString& id) {
  const auto& entries = view_entries();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const ViewEntry& entry) { return entry.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace convscope::ui
