#include "ui/views/program/task_graph/task_graph_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

#include "core/base/integers.h"
#include "ui/parts/drawing.h"

namespace convscope::ui {
namespace {

/// Longest path over the dependences within one iteration: an order to read an unscheduled graph in.
std::vector<std::int64_t> depths(const artifact::TaskGraph& graph) {
  std::vector<std::int64_t> depth(graph.operations.size(), 0);
  std::vector<std::vector<int>> successors(graph.operations.size());
  for (const auto& d : graph.dependences) {
    if (d.iterations == 0) successors[at(d.from)].push_back(d.to);
  }
  for (std::size_t i = 0; i < successors.size(); ++i) {
    for (int next : successors[i]) depth[at(next)] = std::max(depth[at(next)], depth[i] + 1);
  }
  return depth;
}

}  // namespace

TaskGraphScene::TaskGraphScene(std::shared_ptr<const artifact::TaskGraph> graph, artifact::Ref subject,
                               std::shared_ptr<const artifact::Timeline> timeline,
                               std::shared_ptr<const artifact::Links> links)
    : graph_(std::move(graph)), operations_(graph_), linked_(std::move(timeline), std::move(links)), subject_(subject) {
  for (std::size_t i = 0; i < graph_->operations.size(); ++i)
    largest_slack_ = std::max(largest_slack_, operations_.slack(static_cast<int>(i)).value_or(0));
  place_rows();
  place_boxes();
  route_edges();
}

void TaskGraphScene::place_rows() {
  const auto& operations = graph_->operations;
  scheduled_ = std::all_of(operations.begin(), operations.end(), [](const auto& o) { return o.cycle >= 0; });
  if (scheduled_) {
    for (const auto& operation : operations) rows_.push_back(operation.cycle);
  } else {
    rows_ = depths(*graph_);
  }
  row_count_ = rows_.empty() ? 0 : *std::max_element(rows_.begin(), rows_.end()) + 1;
  by_row_.resize(operations.size());
  std::iota(by_row_.begin(), by_row_.end(), 0);
  std::stable_sort(by_row_.begin(), by_row_.end(), [&](int a, int b) { return rows_[at(a)] < rows_[at(b)]; });
}

void TaskGraphScene::place_boxes() {
  std::map<std::pair<int, std::int64_t>, int> used;
  std::vector<int> lanes(graph_->resources.size(), 1), lane(graph_->operations.size(), 0);
  for (int index : by_row_) {
    const int resource = graph_->operations[at(index)].resource;
    lane[at(index)] = used[{resource, rows_[at(index)]}]++;
    lanes[at(resource)] = std::max(lanes[at(resource)], lane[at(index)] + 1);
  }
  double left = 0;
  for (std::size_t resource = 0; resource < lanes.size(); ++resource) {
    columns_.push_back({to_text(graph_->resources[resource]), left, lanes[resource] * column_pitch});
    left += columns_.back().width;
  }
  for (std::size_t i = 0; i < graph_->operations.size(); ++i) {
    const Column& column = columns_[at(graph_->operations[i].resource)];
    boxes_.emplace_back(column.left + lane[i] * column_pitch + (column_pitch - node_width) / 2,
                        static_cast<double>(rows_[i]) * row_pitch + (row_pitch - node_height) / 2, node_width,
                        node_height);
  }
  size_ = {std::max(1.0, left), std::max(1.0, static_cast<double>(row_count_) * row_pitch)};
}

void TaskGraphScene::route_edges() {
  for (std::size_t i = 0; i < graph_->dependences.size(); ++i) {
    const artifact::TaskDependence& d = graph_->dependences[i];
    const QRectF from = boxes_[at(d.from)], to = boxes_[at(d.to)];
    Edge edge{static_cast<int>(i), {from.center().x(), from.bottom()}, {}, {}, {to.center().x(), to.top()}, {}};
    const double drop = edge.to.y() - edge.from.y();
    // Curves in one column pass beside the operations between, backward ones (next iteration) on the left.
    const bool same_column = std::abs(edge.to.x() - edge.from.x()) < 1;
    double side = same_column && drop > row_pitch ? node_width / 2 + std::min(18.0, drop / 20) : 0;
    if (drop < 0) side = -(node_width / 2 + 18);
    const double pull = std::clamp(std::abs(drop) / 2, 8.0, 3 * row_pitch);
    edge.bend_from = edge.from + QPointF(side, drop < 0 ? 16 : pull);
    edge.bend_to = edge.to + QPointF(side, drop < 0 ? -16 : -pull);
    edge.box = QRectF(edge.from, edge.to).normalized().united(QRectF(edge.bend_from, edge.bend_to).normalized());
    edges_.push_back(edge);
  }
}

std::set<artifact::OperationClass> TaskGraphScene::kinds() const {
  std::set<artifact::OperationClass> kinds;
  for (const artifact::TaskOperation& operation : graph_->operations) kinds.insert(operation.kind);
  return kinds;
}

bool TaskGraphScene::tight(const artifact::TaskDependence& d) const {
  const std::int64_t from = graph_->operations[at(d.from)].cycle, to = graph_->operations[at(d.to)].cycle;
  return from >= 0 && to >= 0 && to + d.iterations * graph_->initiation_interval - from <= d.distance;
}

std::vector<int> TaskGraphScene::search(const QString& text) const {
  std::vector<int> found;
  for (const int index : by_row_) {
    const auto& operation = graph_->operations[at(index)];
    const bool matches = to_text(operation.label).contains(text, Qt::CaseInsensitive) ||
                         to_text(graph_->resources[at(operation.resource)]).contains(text, Qt::CaseInsensitive);
    if (!text.isEmpty() && matches) found.push_back(index);
  }
  return found;
}

std::vector<int> TaskGraphScene::operations_in(const QRectF& content) const {
  const auto first_row = static_cast<std::int64_t>(std::floor(content.top() / row_pitch));
  const auto last_row = static_cast<std::int64_t>(std::floor(content.bottom() / row_pitch));
  auto from = std::lower_bound(by_row_.begin(), by_row_.end(), first_row,
                               [&](int index, std::int64_t row) { return rows_[at(index)] < row; });
  std::vector<int> found;
  for (; from != by_row_.end() && rows_[at(*from)] <= last_row; ++from) {
    if (box(*from).intersects(content)) found.push_back(*from);
  }
  return found;
}

int TaskGraphScene::operation_at(QPointF content) const {
  for (int index : operations_in(QRectF(content, QSizeF(1e-6, 1e-6)))) {
    if (box(index).contains(content)) return index;
  }
  return -1;
}

std::string TaskGraphScene::csv() const {
  std::ostringstream out;
  out << "from,from_resource,from_cycle,to,to_resource,to_cycle,kind,distance,iterations\n";
  const auto operation = [&](int index) {
    const auto& o = graph_->operations[at(index)];
    out << csv_field(o.label) << ',' << csv_field(graph_->resources[at(o.resource)]) << ',' << o.cycle << ',';
  };
  for (const artifact::TaskDependence& d : graph_->dependences) {
    operation(d.from);
    operation(d.to);
    out << dependence_kind_name(d.kind).toStdString() << ',' << d.distance << ',' << d.iterations << '\n';
  }
  return out.str();
}

}  // namespace convscope::ui
