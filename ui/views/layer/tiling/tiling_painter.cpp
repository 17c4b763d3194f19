#include "ui/views/layer/tiling/tiling_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/views/layer/tiling/tiling_facts.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::TileTensor;

constexpr double least_width = 720, margin = 12, gap = 18, header_height = 62;
constexpr double least_tensors = 310, most_tensors = 520, narrow_width = 1000;

void place_tensors(TilingLayout& layout, const QRectF& box) {
  // The weights' plane says less than the images do.
  const double shares[] = {0.37, 0.26, 0.37};
  double x = box.left();
  for (int i = 0; i < 3; ++i) {
    const double each = (box.width() - 2 * gap) * shares[i];
    layout.tensors[i] = QRectF(x, box.top(), each, box.height());
    x += each + gap;
  }
}

}  // namespace

TilingPainter::TilingPainter(std::shared_ptr<const TilingScene> scene) : scene_(std::move(scene)) {
  set_step(0);
}

void TilingPainter::set_step(std::int64_t step) {
  step_ = std::clamp<std::int64_t>(step, 0, scene_->plan().steps() - 1);
  shown_ = scene_->plan().step(step_);
}

void TilingPainter::select(const artifact::Ref& selection) {
  CanvasPainter::select(selection);
  const std::int64_t step = scene_->plan().step_of(selection.operation, selection.iteration);
  if (step >= 0 && selection.layer == subject().layer) set_step(step);
}

TilingLayout TilingPainter::layout(double width, double height) const {
  const double inner = width - 2 * margin;
  // Where figures would have no room beside each other, transfers stand below.
  const bool narrow = width < narrow_width;
  const double left = narrow ? (inner - gap) / 2 : inner * 0.42, right = inner - left - gap;
  const double loops = loops_height(*scene_), memories = memories_height(*scene_), transfers = transfers_height();
  const double facts = narrow ? std::max(loops, memories) + transfers : std::max(loops + memories, transfers);
  const double why = why_height(*scene_, inner), comparison = comparison_height(*scene_);
  const double rest = header_height + facts + why + comparison + margin;
  const double tensors = std::clamp(height - rest, least_tensors, most_tensors);
  TilingLayout result;
  result.header = QRectF(margin, 6, inner, header_height - 6);
  place_tensors(result, QRectF(margin, header_height, inner, tensors - gap / 2));
  double top = header_height + tensors;
  result.loops = QRectF(margin, top, left, loops);
  result.memories =
      narrow ? QRectF(margin + left + gap, top, right, memories) : QRectF(margin, top + loops, left, memories);
  result.transfers = narrow ? QRectF(margin, top + facts - transfers, inner, transfers)
                            : QRectF(margin + left + gap, top, right, facts);
  top += facts;
  result.why = QRectF(margin, top, inner, why);
  result.comparison = QRectF(margin, top + why, inner, comparison);
  result.height = top + why + comparison + margin;
  return result;
}

TilingLayout TilingPainter::layout(const QRectF& area) const {
  return layout(std::max(least_width, area.width()), area.height());
}

CanvasGeometry TilingPainter::geometry(const QRectF& area) const {
  const double width = std::max(least_width, area.width());
  return {area, QSizeF(width, std::max(area.height(), layout(area).height)), QSizeF(1, 1), true, true, 4};
}

QSizeF TilingPainter::preferred_size() const {
  constexpr double width = 1240;
  return {width, layout(width, 0).height + 120};
}

QPointF TilingPainter::content_point(QPointF point, const QRectF& area) const {
  return placement(area).content(point);
}

QRectF TilingPainter::front_of(TileTensor tensor, const QRectF& area) const {
  const auto index = static_cast<std::size_t>(tensor);
  return placement(area).pixel(TensorPanel(*scene_, tensor, layout(area).tensors[index]).front());
}

void TilingPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  if (area.width() < 8 || area.height() < 8) return;
  const Placement placed = placement(area);
  const TilingLayout boxes = layout(area);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(placed.plot.topLeft());
  painter.scale(placed.scale.width(), placed.scale.height());
  painter.translate(-placed.origin);
  const QRectF seen = placed.seen();
  const TilingFrame frame{painter, theme, *scene_, shown_};
  if (boxes.header.intersects(seen)) paint_header(frame, boxes.header);
  for (const TileTensor tensor : artifact::tile_tensors) {
    const QRectF& box = boxes.tensors[static_cast<std::size_t>(tensor)];
    if (!box.intersects(seen)) continue;
    const TensorPanel panel(*scene_, tensor, box);
    panel.paint(frame);
    if (tensor == TileTensor::output && preview_) paint_preview(frame, panel);
  }
  if (boxes.loops.intersects(seen)) paint_loops(frame, boxes.loops);
  if (boxes.memories.intersects(seen)) paint_memories(frame, boxes.memories);
  if (boxes.transfers.intersects(seen)) paint_transfers(frame, boxes.transfers);
  if (boxes.why.height() > 0 && boxes.why.intersects(seen)) paint_why(frame, boxes.why);
  if (boxes.comparison.height() > 0 && boxes.comparison.intersects(seen)) paint_comparison(frame, boxes.comparison);
  painter.restore();
}

void TilingPainter::paint_header(const TilingFrame& frame, const QRectF& box) const {
  QPainter& painter = frame.painter;
  const TilingScene::Content& content = scene_->content();
  QString kind = QStringLiteral("chosen");
  if (content.choice.kind == TilingChoice::Kind::best_of_strategy) kind = QStringLiteral("best of its strategy");
  if (content.choice.kind == TilingChoice::Kind::by_hand) kind = QStringLiteral("by hand");
  QString title = QStringLiteral("%1   %2, %3").arg(to_text(content.layer_name), to_text(scene_->plan().title()), kind);
  if (content.shown.fits) {
    title += QStringLiteral("   %1 (%2)")
                 .arg(time_text(content.shown.metrics), to_text(origin_name(content.shown.metrics.seconds.origin)));
  } else if (!content.shown.strategy.empty()) {
    title += QStringLiteral("   does not fit");
  }
  painter.setFont(with_pixel_size(frame.theme.label_font(), 14));
  painter.setPen(content.shown.fits || content.shown.strategy.empty() ? frame.theme.text : frame.theme.error);
  draw_text(painter, QRectF(box.left(), box.top(), box.width(), 19), Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  painter.setPen(frame.theme.muted_text);
  const artifact::TilePlan& plan = scene_->plan();
  draw_text(painter, QRectF(box.left(), box.top() + 20, box.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("step %1 of %2, %3 of %4 %5 busy (%6 %7 of %8)")
                .arg(count_text(step_ + 1), count_text(plan.steps()),
                     count_text(static_cast<std::int64_t>(shown_.work.size())),
                     count_text(std::int64_t{plan.groups()} * plan.workers()), plural(plan.names().worker))
                .arg(plan.groups())
                .arg(plural(plan.names().group))
                .arg(plan.workers()));
  paint_legend(frame, QRectF(box.left(), box.top() + 37, box.width(), 15));
}

void TilingPainter::paint_legend(const TilingFrame& frame, const QRectF& box) const {
  QPainter& painter = frame.painter;
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = box.left();
  const auto entry = [&](const QColor& colour, double alpha, const QString& name, bool round) {
    const double width = 15 + metrics.horizontalAdvance(name) + 14;
    if (x + width > box.right()) return;
    QColor fill = colour;
    fill.setAlphaF(static_cast<float>(alpha));
    painter.setPen(round ? QPen(Qt::NoPen) : QPen(frame.theme.border, 1));
    painter.setBrush(fill);
    const QRectF mark(x, box.center().y() - 5, 10, 10);
    round ? painter.drawEllipse(mark.center(), 2.5, 2.5) : painter.drawRect(mark);
    painter.setPen(frame.theme.muted_text);
    painter.drawText(QRectF(x + 15, box.top(), width, box.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += width;
  };
  const int groups = scene_->plan().groups();
  for (int group = 0; group < std::min(groups, 8); ++group) {
    entry(group_colour(frame.theme, {group}), 0.85, group_text(scene_->plan(), {group}), false);
  }
  if (groups > 1)
    entry(frame.theme.text, 0.5, QStringLiteral("several ") + plural(scene_->plan().names().group), false);
  entry(frame.theme.baseline, done_strength, QStringLiteral("done in this pass"), false);
  entry(frame.theme.read, coming_strength, QStringLiteral("to come"), false);
  if (scene_->plan().burst_bytes() > 0) entry(frame.theme.activation, 1, QStringLiteral("burst moved now"), true);
}

void TilingPainter::paint_preview(const TilingFrame& frame, const TensorPanel& panel) const {
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setPen(QPen(frame.theme.selection, 2, Qt::DashLine));
  const QRectF box = panel.front_of(*preview_).intersected(panel.front());
  frame.painter.drawRect(box);
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), 12));
  frame.painter.setPen(frame.theme.text);
  const QString text = QStringLiteral("%1 × %2").arg(preview_->size[1]).arg(preview_->size[2]);
  draw_text(frame.painter, QRectF(box.left() + 3, box.bottom() - 17, 90, 15), Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace convscope::ui
