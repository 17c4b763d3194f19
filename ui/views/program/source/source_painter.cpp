#include "ui/views/program/source/source_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/views/program/shown_program.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double heading = 26, row_height = 17, font_size = 12, letter_width = 7.3, padding = 10;
constexpr double share_width = 64, number_width = 44, gap = 18;
constexpr int longest_tree = 64, longest_text = 160;  ///< letters; what is longer is elided

}  // namespace

struct SourcePainter::Frame : CanvasFrame {
  bool legible() const { return font_size * zoom >= 5; }
  QRectF box(double left, double width, int row) const {
    return placement.pixel(QRectF(left, row * row_height, width, row_height));
  }
};

SourcePainter::SourcePainter(std::shared_ptr<const SourceScene> scene) : scene_(std::move(scene)) {}

double SourcePainter::tree_width() const {
  return share_width + std::min(scene_->longest_label(), longest_tree) * letter_width + padding;
}

double SourcePainter::text_left() const {
  return tree_width() + gap;
}

double SourcePainter::width() const {
  return text_left() + number_width + std::min(scene_->longest_line(), longest_text) * letter_width + padding;
}

int SourcePainter::rows() const {
  return std::max({1, tree_offset() + static_cast<int>(scene_->nodes().size()), text_offset() + scene_->lines()});
}

CanvasGeometry SourcePainter::geometry(const QRectF& area) const {
  return {area.adjusted(0, heading, 0, 0), QSizeF(width(), rows() * row_height), QSizeF(1, 1), true, true, 2.5};
}

void SourcePainter::select(const artifact::Ref& selection) {
  CanvasPainter::select(selection);
  marked_ = scene_->node_of(selection);
  offset_ = 0;
  if (marked_ < 0) return;
  const artifact::SourceNode& node = scene_->nodes()[static_cast<std::size_t>(marked_)];
  if (node.first_line >= 0) offset_ = node.first_line - marked_;
}

std::optional<QRectF> SourcePainter::place_of(const artifact::Ref& ref) const {
  const int node = scene_->node_of(ref);
  if (node < 0) return std::nullopt;
  return QRectF(0, (node + tree_offset()) * row_height, width(), row_height);
}

std::vector<CanvasMatch> SourcePainter::search(const QString& text) {
  searched_ = text;
  std::vector<CanvasMatch> matches;
  for (int line = 0; !text.isEmpty() && line < scene_->lines(); ++line) {
    if (!scene_->line(line).contains(text, Qt::CaseInsensitive)) continue;
    matches.push_back({QRectF(text_left(), (line + text_offset()) * row_height, 1, row_height),
                       scene_->ref_of(scene_->node_at_line(line))});
  }
  return matches;
}

QSizeF SourcePainter::preferred_size() const {
  constexpr double tallest = 16000;
  const double height = rows() * row_height, scale = std::min(1.0, tallest / height);
  return {width() * scale, heading + height * scale};
}

void SourcePainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  const Frame frame{{painter, theme, area, placement(area)}};
  if (frame.empty()) return;
  painter.save();
  painter.setClipRect(frame.placement.plot);
  painter.setFont(with_pixel_size(theme.data_font(), font_size * frame.zoom));
  const QRectF seen = frame.placement.seen();
  const int first = static_cast<int>(std::floor(seen.top() / row_height));
  const int last = static_cast<int>(std::ceil(seen.bottom() / row_height));
  const int nodes = static_cast<int>(scene_->nodes().size());
  for (int row = first; row <= last; ++row) {
    if (const int node = row - tree_offset(); node >= 0 && node < nodes) paint_node(frame, node);
    if (const int line = row - text_offset(); line >= 0 && line < scene_->lines()) paint_line(frame, line);
  }
  painter.setPen(QPen(theme.border, 1));
  const double between = frame.placement.pixel(QPointF(tree_width() + gap / 2, 0)).x();
  painter.drawLine(QPointF(between, area.top()), QPointF(between, area.bottom()));
  painter.restore();
  paint_headings(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

void SourcePainter::paint_node(const Frame& frame, int index) const {
  const artifact::SourceNode& node = scene_->nodes()[static_cast<std::size_t>(index)];
  const int row = index + tree_offset();
  QPainter& painter = frame.painter;
  if (index == marked_) painter.fillRect(frame.box(0, tree_width() + gap / 2, row), frame.theme.raised);
  if (node.share > 0) {
    const QRectF room = frame.box(2, share_width - 8, row).adjusted(0, 3 * frame.zoom, 0, -3 * frame.zoom);
    QRectF bar = room;
    bar.setWidth(std::max(1.0, room.width() * std::min(1.0, node.share)));
    painter.fillRect(bar, frame.theme.multiply_accumulate);
  }
  if (frame.legible()) {
    const double left = share_width + scene_->depth(index) * source_indent * letter_width;
    painter.setPen(node.first_line < 0 && node.share <= 0 ? frame.theme.muted_text : frame.theme.text);
    draw_text(painter, frame.box(left, tree_width() - left, row), Qt::AlignLeft | Qt::AlignVCenter, to_text(node.text));
  }
  if (index != marked_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(frame.theme.selection, 2));
  painter.drawRect(frame.box(share_width - 4, tree_width() - share_width, row).adjusted(0, 1, 0, -1));
}

void SourcePainter::paint_line(const Frame& frame, int line) const {
  const int row = line + text_offset();
  QPainter& painter = frame.painter;
  const artifact::SourceNode* marked = marked_ < 0 ? nullptr : &scene_->nodes()[static_cast<std::size_t>(marked_)];
  if (marked && marked->first_line >= 0 && line >= marked->first_line && line <= marked->last_line) {
    painter.fillRect(frame.box(text_left() - gap / 2, width(), row), frame.theme.raised);
    painter.fillRect(frame.box(text_left() - gap / 2 + 1, 4, row), frame.theme.selection);
  }
  if (!frame.legible()) return;
  painter.setPen(frame.theme.muted_text);
  draw_text(painter, frame.box(text_left(), number_width - padding, row), Qt::AlignRight | Qt::AlignVCenter,
            QString::number(line + 1));
  const QString text = scene_->line(line);
  const QRectF box = frame.box(text_left() + number_width, longest_text * letter_width, row);
  if (!searched_.isEmpty() && text.contains(searched_, Qt::CaseInsensitive))
    painter.fillRect(box.adjusted(-3, 1, 0, -1), QBrush(frame.theme.warning, Qt::Dense6Pattern));
  painter.setPen(text.trimmed().startsWith(QStringLiteral("//")) ? frame.theme.muted_text : frame.theme.text);
  draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void SourcePainter::paint_headings(const Frame& frame) const {
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  frame.painter.fillRect(band, frame.theme.surface);
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  frame.painter.setPen(frame.theme.text);
  const auto head = [&](double left, double right, const QString& text) {
    const double from = frame.placement.pixel(QPointF(left, 0)).x(), to = frame.placement.pixel(QPointF(right, 0)).x();
    draw_text(frame.painter, QRectF(from + 4, band.top(), to - from - 4, heading), Qt::AlignLeft | Qt::AlignVCenter,
              text);
  };
  head(0, share_width, QStringLiteral("FLOPs"));
  const auto& stages = scene_->source().stages;
  if (scene_->stage() >= 0)
    head(share_width, tree_width(),
         QStringLiteral("syntax tree after '%1'").arg(to_text(stages[static_cast<std::size_t>(scene_->stage())].name)));
  head(text_left() + number_width, width(), to_text(scene_->source().main.name));
  frame.painter.setPen(QPen(frame.theme.border, 1));
  frame.painter.drawLine(band.bottomLeft(), band.bottomRight());
}

SourcePainter::Spot SourcePainter::spot(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  if (!placed.plot.contains(point)) return {};
  const QPointF content = placed.content(point);
  const int row = static_cast<int>(std::floor(content.y() / row_height));
  Spot found;
  if (content.x() < tree_width() + gap / 2) {
    const int node = row - tree_offset();
    if (node >= 0 && node < static_cast<int>(scene_->nodes().size())) found.node = node;
  } else if (const int line = row - text_offset(); line >= 0 && line < scene_->lines()) {
    found.line = line;
    found.node = scene_->node_at_line(line);
  }
  return found;
}

std::optional<artifact::Ref> SourcePainter::hit(QPointF point, const QRectF& area) const {
  const Spot found = spot(point, area);
  if (found.node < 0) return std::nullopt;
  return scene_->ref_of(found.node);
}

QString SourcePainter::reading(QPointF point, const QRectF& area) const {
  const Spot found = spot(point, area);
  return found.node < 0 ? QString() : scene_->reading(found.node);
}

std::unique_ptr<CanvasPainter> make_source_canvas(const Snapshot& snapshot, int stage) {
  return picture_of_program(
      snapshot, QStringLiteral("source"), [stage](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
        const auto source = shown.compiled->source(shown.number);
        if (!source) return nullptr;
        return std::make_unique<SourcePainter>(std::make_shared<const SourceScene>(source, stage, shown.subject));
      });
}

std::unique_ptr<ViewPainter> make_source_painter(const Snapshot& snapshot) {
  return make_source_canvas(snapshot, -1);
}

}  // namespace convscope::ui
