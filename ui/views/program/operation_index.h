#pragma once
// Operations of a task graph by key, with their dependences both ways and their slack: what readings and outlines need.

#include <QString>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/artifact/task_graph.h"

namespace convscope::ui {

class OperationIndex {
 public:
  /// `graph` may be null: nothing is found then.
  explicit OperationIndex(std::shared_ptr<const artifact::TaskGraph> graph);

  const artifact::TaskGraph* graph() const { return graph_.get(); }
  /// Index into TaskGraph::operations, or -1.
  int find(artifact::OperationKey key) const;
  const artifact::TaskOperation* operation(artifact::OperationKey key) const;
  /// Indices into TaskGraph::dependences.
  const std::vector<int>& incoming(int operation) const { return incoming_[static_cast<std::size_t>(operation)]; }
  const std::vector<int>& outgoing(int operation) const { return outgoing_[static_cast<std::size_t>(operation)]; }
  /// Cycles by which an operation could move later alone; nothing if the graph isn't scheduled.
  std::optional<std::int64_t> slack(int operation) const;
  /// Operations that depend directly on this one or it on them.
  std::unordered_set<artifact::OperationKey> neighbours(artifact::OperationKey key) const;
  /// Lines with dependences, distances and slack; empty for an unknown operation.
  QString reading(artifact::OperationKey key) const;

 private:
  QString dependence_lines(const QString& heading, const std::vector<int>& dependences, bool incoming) const;

  std::shared_ptr<const artifact::TaskGraph> graph_;
  std::unordered_map<artifact::OperationKey, int> positions_;
  std::vector<std::vector<int>> incoming_, outgoing_;
  std::vector<std::int64_t> slack_;
};

QString dependence_kind_name(artifact::DependenceKind kind);

}  // namespace convscope::ui
