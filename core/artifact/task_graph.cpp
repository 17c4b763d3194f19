#include "core/artifact/task_graph.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>

namespace convscope::artifact {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

// Whether the dependence limits how far `from` may move in the given schedule. One that leads from an operation to
// itself moves with it; one across iterations means nothing without an interval.
bool limits(const TaskGraph& graph, const TaskDependence& dependence) {
  const auto scheduled = [&](int index) { return graph.operations[static_cast<std::size_t>(index)].cycle >= 0; };
  return dependence.from != dependence.to && scheduled(dependence.from) && scheduled(dependence.to) &&
         (dependence.iterations == 0 || graph.initiation_interval > 0);
}

std::int64_t last_cycle(const TaskGraph& graph) {
  std::int64_t last = -1;
  for (const TaskOperation& operation : graph.operations) last = std::max(last, operation.cycle);
  return last;
}

}  // namespace

std::vector<int> topological_order(const TaskGraph& graph) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Graph within_iteration(graph.operations.size());
  for (const TaskDependence& dependence : graph.dependences)
    if (dependence.iterations == 0)
      boost::add_edge(static_cast<std::size_t>(dependence.from), static_cast<std::size_t>(dependence.to),
                      within_iteration);
  std::vector<int> order;
  order.reserve(graph.operations.size());
  try {
    boost::topological_sort(within_iteration, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    return {};
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<std::int64_t> slack(const TaskGraph& graph) {
  std::vector<std::int64_t> result(graph.operations.size(), unlimited);
  for (const TaskDependence& dependence : graph.dependences) {
    if (!limits(graph, dependence)) continue;
    const TaskOperation& from = graph.operations[static_cast<std::size_t>(dependence.from)];
    const TaskOperation& to = graph.operations[static_cast<std::size_t>(dependence.to)];
    const std::int64_t next_start = to.cycle + dependence.iterations * graph.initiation_interval;
    std::int64_t& room = result[static_cast<std::size_t>(dependence.from)];
    room = std::min(room, next_start - from.cycle - dependence.distance);
  }
  const std::int64_t end = last_cycle(graph);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i] == unlimited) result[i] = graph.operations[i].cycle < 0 ? 0 : end - graph.operations[i].cycle;
  return result;
}

}  // namespace convscope::artifact
