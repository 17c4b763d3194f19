#include "ui/views/program/task_graph/task_graph_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/theme/range_colour.h"
#include "ui/views/program/shown_program.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double heading = 44, ruler = 52;
constexpr double label_zoom = 1.2;        ///< from which distances are written at the edges
constexpr std::size_t most_curves = 400;  ///< of a frame; more could not be told apart
constexpr std::size_t most_lines = 4000;  ///< drawn at once; more would be a grey area that costs a frame

Qt::PenStyle style_of(artifact::DependenceKind kind) {
  switch (kind) {
    case artifact::DependenceKind::data:
      return Qt::SolidLine;
    case artifact::DependenceKind::order:
      return Qt::DashLine;
    case artifact::DependenceKind::anti:
      return Qt::DotLine;
  }
  return Qt::SolidLine;
}

}  // namespace

struct TaskGraphPainter::Frame : CanvasFrame {
  bool legible() const { return TaskGraphScene::node_height * zoom >= 10; }
};

CanvasGeometry TaskGraphPainter::geometry(const QRectF& area) const {
  return {area.adjusted(ruler, heading, 0, 0), scene_->size(), QSizeF(1, 1), true, true, 3};
}

void TaskGraphPainter::select(const artifact::Ref& selection) {
  CanvasPainter::select(selection);
  chosen_ = scene_->operations().find(selection.operation);
  neighbours_ = scene_->operations().neighbours(selection.operation);
  linked_ = scene_->linked().of(selection);
}

std::optional<QRectF> TaskGraphPainter::place_of(const artifact::Ref& ref) const {
  std::optional<QRectF> first;
  for (const artifact::OperationKey key : scene_->linked().of(ref)) {
    const int operation = scene_->operations().find(key);
    if (operation < 0) continue;
    const QRectF place = scene_->box(operation).adjusted(-8, -8, 8, 8);
    if (!first || place.top() < first->top()) first = place;
  }
  return first;
}

std::vector<CanvasMatch> TaskGraphPainter::search(const QString& text) {
  std::vector<CanvasMatch> matches;
  found_.clear();
  for (const int operation : scene_->search(text)) {
    artifact::Ref ref = scene_->subject();
    ref.operation = scene_->graph().operations[static_cast<std::size_t>(operation)].key;
    matches.push_back({scene_->box(operation).adjusted(-8, -8, 8, 8), ref});
    found_.insert(operation);
  }
  return matches;
}

QColor TaskGraphPainter::fill_of(int operation, const Theme& theme) const {
  const artifact::TaskOperation& o = scene_->graph().operations[static_cast<std::size_t>(operation)];
  if (colour_ == TaskColour::kind) return theme.colour(o.kind);
  const auto slack = scene_->operations().slack(operation);
  if (colour_ == TaskColour::criticality) {
    if (!slack) return theme.grid;
    return range_colour(1 - static_cast<double>(std::max<std::int64_t>(0, *slack)) /
                                static_cast<double>(std::max<std::int64_t>(1, scene_->largest_slack())));
  }
  return range_colour(static_cast<double>(scene_->rows()[static_cast<std::size_t>(operation)]) /
                      static_cast<double>(std::max<std::int64_t>(1, scene_->row_count() - 1)));
}

void TaskGraphPainter::paint_overview(QPainter& painter, const QRectF& box, const Theme& theme) const {
  const double x = box.width() / scene_->size().width(), y = box.height() / scene_->size().height();
  for (int i = 0; i < static_cast<int>(scene_->graph().operations.size()); ++i) {
    const QRectF place = scene_->box(i);
    painter.fillRect(visible_box({box.left() + place.left() * x, box.top() + place.top() * y, place.width() * x,
                                  place.height() * y}),
                     fill_of(i, theme));
  }
}

double TaskGraphPainter::initial_zoom(const QRectF& area) const {
  const double width = area.width() - ruler;
  return std::clamp(width / scene_->size().width(), 0.5, 1.0);
}

QSizeF TaskGraphPainter::preferred_size() const {
  constexpr double tallest = 16000;
  const double scale = std::min(1.0, tallest / scene_->size().height());
  return {ruler + std::max(320.0, scene_->size().width() * scale), heading + scene_->size().height() * scale};
}

void TaskGraphPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{{painter, theme, area, placement(area)}};
  if (frame.empty()) return;
  painter.save();
  painter.setClipRect(frame.placement.plot);
  paint_columns(frame);
  paint_edges(frame);
  paint_operations(frame);
  painter.restore();
  paint_headings(frame);
  paint_legend(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

void TaskGraphPainter::paint_columns(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  frame.painter.setPen(QPen(frame.theme.grid, 1));
  for (const auto& column : scene_->columns()) {
    const double x = frame.placement.pixel(QPointF(column.left + column.width, 0)).x();
    if (x > plot.left() && x < plot.right()) frame.painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  }
}

bool TaskGraphPainter::touches_selection(const TaskGraphScene::Edge& edge) const {
  if (chosen_ < 0) return false;
  const auto& d = scene_->graph().dependences[static_cast<std::size_t>(edge.dependence)];
  return d.from == chosen_ || d.to == chosen_;
}

void TaskGraphPainter::paint_edges(const Frame& frame) const {
  const QRectF seen = frame.placement.seen();
  std::vector<const TaskGraphScene::Edge*> visible;
  for (const auto& edge : scene_->edges()) {
    const QSizeF pixels = edge.box.size() * frame.zoom;
    if (edge.box.top() > seen.bottom() || edge.box.bottom() < seen.top() || edge.box.left() > seen.right() ||
        edge.box.right() < seen.left() || pixels.width() + pixels.height() < 1 || touches_selection(edge)) {
      continue;
    }
    visible.push_back(&edge);
  }
  frame.painter.setBrush(Qt::NoBrush);
  if (visible.size() > scaled_limit(most_curves, frame.area) || !frame.legible()) {
    paint_edges_as_lines(frame, visible);
    visible.clear();
  }
  frame.painter.setRenderHint(QPainter::Antialiasing, true);
  for (const auto* edge : visible) paint_edge(frame, *edge, false);
  if (chosen_ >= 0) {
    for (const auto* dependences : {&scene_->operations().incoming(chosen_), &scene_->operations().outgoing(chosen_)})
      for (const int dependence : *dependences)
        paint_edge(frame, scene_->edges()[static_cast<std::size_t>(dependence)], true);
  }
  frame.painter.setRenderHint(QPainter::Antialiasing, false);
}

void TaskGraphPainter::paint_edges_as_lines(const Frame& frame,
                                            const std::vector<const TaskGraphScene::Edge*>& edges) const {
  const std::size_t stride = std::max<std::size_t>(1, edges.size() / scaled_limit(most_lines, frame.area) + 1);
  const QRectF plot = frame.placement.plot;
  std::vector<QLineF> lines, critical;
  for (std::size_t i = 0; i < edges.size(); i += stride) {
    const QLineF line(frame.placement.pixel(edges[i]->from), frame.placement.pixel(edges[i]->to));
    // Far ends outside the plot cost time in the clipping of very long lines, not in this.
    if (!QRectF(line.p1(), line.p2()).normalized().adjusted(-1, -1, 1, 1).intersects(plot)) continue;
    (is_critical_edge(*edges[i]) ? critical : lines).push_back(line);
  }
  QColor colour = frame.theme.muted_text;
  colour.setAlphaF(0.4F);
  frame.painter.setPen(QPen(colour, 0));
  frame.painter.drawLines(lines.data(), static_cast<int>(lines.size()));
  frame.painter.setPen(QPen(frame.theme.text, 0));
  frame.painter.drawLines(critical.data(), static_cast<int>(critical.size()));
}

/// Only where criticality is shown: a delay of the one would delay the other.
bool TaskGraphPainter::is_critical_edge(const TaskGraphScene::Edge& edge) const {
  if (colour_ != TaskColour::criticality) return false;
  const auto& d = scene_->graph().dependences[static_cast<std::size_t>(edge.dependence)];
  return scene_->tight(d) && scene_->critical(d.from) && scene_->critical(d.to);
}

void TaskGraphPainter::paint_edge(const Frame& frame, const TaskGraphScene::Edge& edge, bool chosen) const {
  const auto& dependence = scene_->graph().dependences[static_cast<std::size_t>(edge.dependence)];
  const Placement& p = frame.placement;
  const QPointF from = p.pixel(edge.from), to = p.pixel(edge.to);
  QColor colour = chosen ? frame.theme.selection : frame.theme.muted_text;
  const bool critical = !chosen && is_critical_edge(edge);
  if (critical) colour = frame.theme.text;
  if (!chosen && !critical) colour.setAlphaF(dependence.iterations == 0 ? 0.75F : 0.4F);
  const double width = chosen ? 2.2 : critical ? 1.8 : 1.1;
  frame.painter.setPen(QPen(colour, width, style_of(dependence.kind)));
  QPainterPath path(from);
  path.cubicTo(p.pixel(edge.bend_from), p.pixel(edge.bend_to), to);
  frame.painter.drawPath(path);
  const double size = std::clamp(5 * frame.zoom, 3.0, 7.0);
  frame.painter.setPen(QPen(colour, width));
  frame.painter.drawLine(to, to + QPointF(-size / 2, -size));
  frame.painter.drawLine(to, to + QPointF(size / 2, -size));
  if (frame.zoom < label_zoom && !chosen) return;
  QString label = QString::number(dependence.distance);
  if (dependence.iterations != 0)
    label += QStringLiteral(", %1%2 it.").arg(dependence.iterations > 0 ? "+" : "").arg(dependence.iterations);
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), 10));
  frame.painter.setPen(chosen ? frame.theme.text : frame.theme.muted_text);
  const QPointF middle = path.pointAtPercent(0.5);
  frame.painter.drawText(QRectF(middle + QPointF(4, -7), QSizeF(70, 14)), Qt::AlignLeft | Qt::AlignVCenter, label);
}

void TaskGraphPainter::paint_operations(const Frame& frame) const {
  for (int operation : scene_->operations_in(frame.placement.seen())) paint_operation(frame, operation);
}

void TaskGraphPainter::paint_operation(const Frame& frame, int operation) const {
  const artifact::TaskOperation& o = scene_->graph().operations[static_cast<std::size_t>(operation)];
  const QRectF box = visible_box(frame.placement.pixel(scene_->box(operation)));
  const QColor fill = fill_of(operation, frame.theme);
  frame.painter.fillRect(box, fill);
  const bool neighbour = neighbours_.contains(o.key);
  frame.painter.setBrush(Qt::NoBrush);
  if (colour_ == TaskColour::criticality && scene_->critical(operation) && box.height() >= 4) {
    frame.painter.setPen(QPen(frame.theme.text, 1.5));
    frame.painter.drawRect(box);
  }
  if (found_.contains(operation)) {
    frame.painter.setPen(QPen(frame.theme.warning, 2, Qt::DashLine));
    frame.painter.drawRect(box.adjusted(-4, -4, 4, 4));
  }
  if (operation != chosen_ && linked_.contains(o.key)) {
    frame.painter.setPen(QPen(frame.theme.selection, 1.5));
    frame.painter.drawRect(box.adjusted(-2, -2, 2, 2));
  }
  if (operation == chosen_ || neighbour) {
    frame.painter.setPen(QPen(operation == chosen_ ? frame.theme.selection : frame.theme.text,
                              operation == chosen_ ? 3 : 1.5, neighbour ? Qt::DashLine : Qt::SolidLine));
    frame.painter.drawRect(box.adjusted(-2, -2, 2, 2));
  }
  if (!frame.legible()) return;
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), std::min(14.0, 12 * frame.zoom)));
  frame.painter.setPen(frame.theme.text_on(fill));
  draw_text(frame.painter, box.adjusted(4, 0, -3, 0), Qt::AlignCenter, to_text(o.label));
}

void TaskGraphPainter::paint_headings(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  QPainter& painter = frame.painter;
  const QRectF gutter(frame.area.left(), plot.top(), ruler, plot.height());
  painter.fillRect(gutter, frame.theme.surface);
  painter.fillRect(QRectF(frame.area.left(), frame.area.top(), frame.area.width(), heading), frame.theme.surface);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  double x = plot.right() - 236;
  for (auto kind : {artifact::DependenceKind::data, artifact::DependenceKind::order, artifact::DependenceKind::anti}) {
    painter.setPen(QPen(frame.theme.text, 1.3, style_of(kind)));
    painter.drawLine(QPointF(x, frame.area.top() + 11), QPointF(x + 26, frame.area.top() + 11));
    painter.setPen(frame.theme.muted_text);
    draw_text(painter, QRectF(x + 31, frame.area.top() + 2, 44, 18), Qt::AlignLeft | Qt::AlignVCenter,
              dependence_kind_name(kind));
    x += 78;
  }
  painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  painter.setPen(frame.theme.text);
  for (const auto& column : scene_->columns()) {
    const double left = std::max(plot.left(), frame.placement.pixel(QPointF(column.left, 0)).x());
    const double right = std::min(plot.right(), frame.placement.pixel(QPointF(column.left + column.width, 0)).x());
    draw_text(painter, QRectF(left, plot.top() - 22, right - left, 20), Qt::AlignCenter, column.name);
  }
  painter.setPen(frame.theme.muted_text);
  draw_text(painter, QRectF(frame.area.left(), plot.top() - 22, ruler - 8, 20), Qt::AlignRight | Qt::AlignVCenter,
            scene_->scheduled() ? QStringLiteral("cycle") : QStringLiteral("depth"));
  painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
  const double pitch = TaskGraphScene::row_pitch * frame.zoom;
  const std::int64_t step = tick_step(16 / pitch);
  const QRectF seen = frame.placement.seen();
  const auto first = static_cast<std::int64_t>(seen.top() / TaskGraphScene::row_pitch) / step * step;
  for (std::int64_t row = first; row < scene_->row_count(); row += step) {
    const double middle =
        frame.placement.pixel(QPointF(0, (static_cast<double>(row) + 0.5) * TaskGraphScene::row_pitch)).y();
    if (middle > plot.bottom() - 7) break;
    if (middle < plot.top() + 7) continue;
    draw_text(painter, QRectF(frame.area.left(), middle - 8, ruler - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
              count_text(row));
  }
  painter.setPen(QPen(frame.theme.border, 1));
  painter.drawLine(QPointF(frame.area.left(), plot.top()), QPointF(plot.right(), plot.top()));
}

void TaskGraphPainter::paint_legend(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  const QRectF strip(plot.left() + 4, frame.area.top() + 2, plot.width() - 250, 18);
  if (colour_ == TaskColour::kind)
    return draw_kind_legend(frame.painter, strip, frame.theme, scene_->kinds(), IdleEntry::left_out);
  if (colour_ == TaskColour::cycle) {
    draw_range_legend(frame.painter, strip, frame.theme,
                      scene_->scheduled() ? QStringLiteral("cycle of the iteration") : QStringLiteral("depth"),
                      QStringLiteral("0"), count_text(std::max<std::int64_t>(0, scene_->row_count() - 1)));
    return;
  }
  if (!scene_->scheduled()) {
    frame.painter.setPen(frame.theme.muted_text);
    draw_text(frame.painter, strip, Qt::AlignLeft | Qt::AlignVCenter,
              QStringLiteral("no slack is known: this graph isn't scheduled"));
    return;
  }
  draw_range_legend(frame.painter, strip, frame.theme, QStringLiteral("slack in cycles"),
                    count_text(scene_->largest_slack()), QStringLiteral("0 (critical)"));
}

int TaskGraphPainter::operation_near(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  return placed.plot.contains(point) ? scene_->operation_at(placed.content(point)) : -1;
}

std::optional<artifact::Ref> TaskGraphPainter::hit(QPointF point, const QRectF& area) const {
  const int operation = operation_near(point, area);
  if (operation < 0) return std::nullopt;
  artifact::Ref ref = scene_->subject();
  ref.operation = scene_->graph().operations[static_cast<std::size_t>(operation)].key;
  return ref;
}

QString TaskGraphPainter::reading(QPointF point, const QRectF& area) const {
  const int operation = operation_near(point, area);
  if (operation < 0) return {};
  const artifact::TaskOperation& o = scene_->graph().operations[static_cast<std::size_t>(operation)];
  QString text = QStringLiteral("%1 · %2 · %3")
                     .arg(to_text(o.label), to_text(scene_->graph().resources[static_cast<std::size_t>(o.resource)]),
                          kind_name(o.kind));
  if (o.cycle >= 0) text += QStringLiteral("\ncycle %1 of its iteration").arg(count_text(o.cycle));
  const QString dependences = scene_->operations().reading(o.key);
  return dependences.isEmpty() ? text : text + QStringLiteral("\n") + dependences;
}

std::unique_ptr<CanvasPainter> make_task_graph_canvas(const Snapshot& snapshot, TaskColour colour) {
  const auto make = [colour](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
    const auto graph = shown.compiled->task_graph(shown.number);
    if (!graph || graph->operations.empty()) return nullptr;
    auto scene = std::make_shared<const TaskGraphScene>(graph, shown.subject, shown.compiled->timeline(shown.number),
                                                        shown.compiled->links(shown.number));
    return std::make_unique<TaskGraphPainter>(std::move(scene), colour);
  };
  return picture_of_program(snapshot, QStringLiteral("task graph"), make);
}

std::unique_ptr<ViewPainter> make_task_graph_painter(const Snapshot& snapshot) {
  return make_task_graph_canvas(snapshot);
}

}  // namespace convscope::ui
