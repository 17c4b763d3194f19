#include <algorithm>

#include "core/nve/artifacts/program_view.h"

namespace convscope::nve {
namespace {

using artifact::DependenceKind;

bool is_register(Field field) {
  return field == Field::wreg || field == Field::ireg;
}

DependenceKind dependence_kind(const LoopOperation& from, const LoopOperation& to) {
  const bool from_vector = from.field == Field::vmac;
  if ((from_vector && is_register(to.field)) || from.field == Field::act) return DependenceKind::anti;
  if (is_register(from.field) && from.field == to.field) return DependenceKind::order;
  if (from_vector && to.field == Field::vmac && from.kind == to.kind) return DependenceKind::order;
  return DependenceKind::data;
}

artifact::TaskGraph in_program_order(const ProgramView& view) {
  const Loop& loop = view.scheduled.loop;
  artifact::TaskGraph graph;
  const IssueFields fields(view.program.machine);
  graph.resources = fields.names();
  graph.initiation_interval = loop.initiation_interval;
  const std::int64_t first = loop.first_cycle();
  for (std::size_t i = 0; i < loop.operations.size(); ++i) {
    const LoopOperation& o = loop.operations[i];
    graph.operations.push_back({operation_key(o, view.group), operation_label(o, view.group), operation_class(o.kind),
                                fields.index(o.field), loop.cycles[i] - first});
  }
  for (const schedule::Dependence& d : loop.problem.dependences)
    graph.dependences.push_back({d.from, d.to, d.distance, d.iterations,
                                 dependence_kind(loop.operations[static_cast<std::size_t>(d.from)],
                                                 loop.operations[static_cast<std::size_t>(d.to)])});
  return graph;
}

}  // namespace

std::shared_ptr<const artifact::TaskGraph> make_task_graph(const ProgramView& view) {
  const artifact::TaskGraph unordered = in_program_order(view);
  const std::vector<int> order = artifact::topological_order(unordered);
  auto graph = std::make_shared<artifact::TaskGraph>(unordered);
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    graph->operations[i] = unordered.operations[static_cast<std::size_t>(order[i])];
  }
  for (artifact::TaskDependence& d : graph->dependences) {
    d.from = position[static_cast<std::size_t>(d.from)];
    d.to = position[static_cast<std::size_t>(d.to)];
  }
  return graph;
}

}  // namespace convscope::nve
