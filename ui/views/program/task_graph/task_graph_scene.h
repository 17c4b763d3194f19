#pragma once
// A task graph laid out by what it means: cycle downward, one column per issue field. Costs one sort.

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <memory>
#include <set>
#include <vector>

#include "ui/model/view.h"
#include "ui/views/program/linked_operations.h"
#include "ui/views/program/operation_index.h"

namespace convscope::ui {

class TaskGraphScene {
 public:
  struct Column {
    QString name;
    double left = 0, width = 0;
  };
  /// A dependence as a cubic curve from the foot of one operation to the head of another.
  struct Edge {
    int dependence = 0;
    QPointF from, bend_from, bend_to, to;
    QRectF box;
  };

  static constexpr double node_width = 132, node_height = 24, column_pitch = 168, row_pitch = 40;

  /// `timeline` and `links` may be null: cycles and words of other views aren't marked then.
  TaskGraphScene(std::shared_ptr<const artifact::TaskGraph> graph, artifact::Ref subject,
                 std::shared_ptr<const artifact::Timeline> timeline = nullptr,
                 std::shared_ptr<const artifact::Links> links = nullptr);

  const artifact::TaskGraph& graph() const { return *graph_; }
  /// Kinds of operation that occur.
  std::set<artifact::OperationClass> kinds() const;
  const OperationIndex& operations() const { return operations_; }
  const LinkedOperations& linked() const { return linked_; }
  const artifact::Ref& subject() const { return subject_; }
  /// Slack that is zero or less: a delay would break a dependence. False if the graph isn't scheduled.
  bool critical(int operation) const { return operations_.slack(operation).value_or(1) <= 0; }
  /// Both ends stand as close as the dependence allows.
  bool tight(const artifact::TaskDependence& dependence) const;
  /// 0 if the graph isn't scheduled.
  std::int64_t largest_slack() const { return largest_slack_; }
  /// Operations whose label or issue field contains the text, case aside; in the order of their rows.
  std::vector<int> search(const QString& text) const;
  QSizeF size() const { return size_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Edge>& edges() const { return edges_; }
  /// Cycle, or depth if the graph isn't scheduled, of each operation.
  const std::vector<std::int64_t>& rows() const { return rows_; }
  std::int64_t row_count() const { return row_count_; }
  bool scheduled() const { return scheduled_; }
  QRectF box(int operation) const { return boxes_[static_cast<std::size_t>(operation)]; }
  /// Operations whose boxes meet a stretch of content, found by binary search over rows.
  std::vector<int> operations_in(const QRectF& content) const;
  /// The operation at a point, or -1.
  int operation_at(QPointF content) const;
  std::string csv() const;

 private:
  void place_rows();
  void place_boxes();
  void route_edges();

  std::shared_ptr<const artifact::TaskGraph> graph_;
  OperationIndex operations_;
  LinkedOperations linked_;
  artifact::Ref subject_;
  bool scheduled_ = false;
  std::int64_t row_count_ = 0, largest_slack_ = 0;
  QSizeF size_;
  std::vector<Column> columns_;
  std::vector<std::int64_t> rows_;
  std::vector<QRectF> boxes_;
  std::vector<int> by_row_;
  std::vector<Edge> edges_;
};

}  // namespace convscope::ui
