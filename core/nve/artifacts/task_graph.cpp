#include <algorithm>
#include <numeric>

#include "core/nve/artifacts/program_view.h"
#include "core/nve/passes/hold_ports.h"

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

// Operations as the problem has them, but writes by their cycles, last first.
std::vector<int> listing_order(const Loop& loop) {
  std::vector<int> order(loop.operations.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin() + loop.first_write(), order.begin() + loop.first_activation, [&](int a, int b) {
    return loop.cycles[static_cast<std::size_t>(a)] > loop.cycles[static_cast<std::size_t>(b)];
  });
  return order;
}

// Dependences in the order of the problem, those of writes in the order of the writes.
std::vector<artifact::TaskDependence> dependences(const Loop& loop, const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  std::vector<artifact::TaskDependence> result;
  for (const schedule::Dependence& d : loop.problem.dependences) {
    if (holds_port(loop, d)) continue;  // the other side of the read's dependence
    const auto from = static_cast<std::size_t>(d.from), to = static_cast<std::size_t>(d.to);
    result.push_back({position[from], position[to], d.distance, d.iterations,
                      dependence_kind(loop.operations[from], loop.operations[to])});
  }
  const auto of_write = [&](const artifact::TaskDependence& d) {
    return d.from >= loop.first_write() && d.from < loop.first_activation;
  };
  const auto first = std::find_if(result.begin(), result.end(), of_write);
  std::stable_sort(first, std::find_if_not(first, result.end(), of_write),
                   [](const auto& a, const auto& b) { return a.from < b.from; });
  return result;
}

artifact::TaskGraph in_program_order(const ProgramView& view) {
  const Loop& loop = view.scheduled.loop;
  artifact::TaskGraph graph;
  const IssueFields fields(view.program.machine);
  graph.resources = fields.names();
  graph.initiation_interval = loop.initiation_interval;
  const std::int64_t first = loop.first_cycle();
  const std::vector<int> order = listing_order(loop);
  for (const int operation : order) {
    const LoopOperation& o = loop.operations[static_cast<std::size_t>(operation)];
    graph.operations.push_back({operation_key(o, view.group), operation_label(o, view.group), operation_class(o.kind),
                                fields.index(o.field), loop.cycles[static_cast<std::size_t>(operation)] - first});
  }
  graph.dependences = dependences(loop, order);
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
