#pragma once
// Operations and dependences of one program's iteration.

#include <cstdint>
#include <string>
#include <vector>

#include "core/artifact/operation.h"
#include "core/artifact/ref.h"

namespace convscope::artifact {

struct TaskOperation {
  OperationKey key = 0;
  std::string label;  ///< as in listings, e.g. "set ri [0-1]"
  OperationClass kind = OperationClass::other;
  int resource = 0;         ///< index into TaskGraph::resources: the issue field
  std::int64_t cycle = -1;  ///< scheduled cycle relative to the iteration's start, >= 0; -1 if unscheduled
};

enum class DependenceKind { data, order, anti };

/// `to` may start no earlier than `distance` cycles after `from`, `iterations` iterations later.
struct TaskDependence {
  int from = 0, to = 0;  ///< indices into TaskGraph::operations
  int distance = 0;      ///< cycles
  int iterations = 0;
  DependenceKind kind = DependenceKind::data;
};

/// Immutable; operations are in a topological order of the dependences with iterations == 0.
struct TaskGraph {
  std::vector<std::string> resources;
  std::vector<TaskOperation> operations;
  std::vector<TaskDependence> dependences;
  std::int64_t initiation_interval = 0;  ///< cycles between iterations; 0 if unscheduled
};

/// Topological order of the dependences within one iteration (Boost.Graph); empty if they form a circle.
std::vector<int> topological_order(const TaskGraph& graph);

/// Cycles by which each operation could move later without moving any other operation of the given schedule
/// (dependences only, iterations included); operations that nothing depends on get the slack to the iteration's last
/// cycle. 0 for operations that are not scheduled; negative where the schedule breaks a dependence.
std::vector<std::int64_t> slack(const TaskGraph& graph);

}  // namespace convscope::artifact
