#include "ui/views/machines/search_tree/search_tree_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double heading = 52, row_height = 40, chip_top = 5, chip_height = 30, weight_height = 4, font_size = 12;
constexpr double longest_row = 1800;  ///< of a picture for export; the widget scrolls

}  // namespace

struct SearchTreePainter::Frame : CanvasFrame {
  bool legible() const { return font_size * zoom >= 5; }
  QRectF box(double left, double width, std::size_t row, double top, double height) const {
    return placement.pixel(QRectF(left, static_cast<double>(row) * row_height + top, width, height));
  }
};

SearchTreePainter::SearchTreePainter(std::shared_ptr<const SearchTreeScene> scene, artifact::Ref subject)
    : scene_(std::move(scene)), subject_(subject) {}

CanvasGeometry SearchTreePainter::geometry(const QRectF& area) const {
  const double height = row_height * static_cast<double>(std::max<std::size_t>(1, scene_->rows().size()));
  return {area.adjusted(0, heading, 0, 0), QSizeF(scene_->width(), height), QSizeF(1, 1), true, true, 2.5};
}

std::vector<CanvasMatch> SearchTreePainter::search(const QString& text) {
  searched_ = text;
  std::vector<CanvasMatch> matches;
  for (std::size_t row = 0; !text.isEmpty() && row < scene_->rows().size(); ++row)
    for (const SearchTreeScene::Chip& chip : scene_->rows()[row].chips)
      if (chip.text.contains(text, Qt::CaseInsensitive))
        matches.push_back({QRectF(chip.left, static_cast<double>(row) * row_height, chip.width, row_height), subject_});
  return matches;
}

QSizeF SearchTreePainter::preferred_size() const {
  const double height = heading + row_height * static_cast<double>(scene_->rows().size()) + 10;
  return {std::clamp(scene_->width(), 700.0, longest_row), std::max(240.0, height)};
}

void SearchTreePainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  const Frame frame{{painter, theme, area, placement(area)}};
  if (frame.empty()) return;
  painter.save();
  painter.setClipRect(frame.placement.plot);
  const QRectF seen = frame.placement.seen();
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(seen.top() / row_height)));
  const auto last = static_cast<std::size_t>(std::max(0.0, std::ceil(seen.bottom() / row_height)));
  for (std::size_t row = first; row < std::min(last, scene_->rows().size()); ++row) paint_row(frame, row);
  painter.restore();
  paint_heading(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

void SearchTreePainter::paint_row(const Frame& frame, std::size_t index) const {
  const SearchTreeScene::Row& row = scene_->rows()[index];
  QPainter& painter = frame.painter;
  painter.setPen(QPen(frame.theme.grid, 1));
  const QRectF line = frame.box(0, scene_->width(), index, 0, row_height);
  painter.drawLine(line.bottomLeft(), line.bottomRight());
  if (frame.legible()) {
    painter.setFont(with_pixel_size(frame.theme.label_font(), font_size * frame.zoom));
    painter.setPen(frame.theme.text);
    draw_text(painter, frame.box(10, search_tree_names - 16, index, 2, 20), Qt::AlignLeft | Qt::AlignVCenter, row.name);
    painter.setFont(with_pixel_size(frame.theme.label_font(), (font_size - 2) * frame.zoom));
    painter.setPen(frame.theme.muted_text);
    const QString counts = QStringLiteral("%1 of %2").arg(row.values - row.rejected).arg(row.values);
    draw_text(painter, frame.box(10, search_tree_names - 16, index, 20, 16), Qt::AlignLeft | Qt::AlignVCenter, counts);
  }
  for (const SearchTreeScene::Chip& chip : row.chips) paint_chip(frame, index, chip);
}

void SearchTreePainter::paint_chip(const Frame& frame, std::size_t row, const SearchTreeScene::Chip& chip) const {
  const QRectF box = frame.box(chip.left, chip.width, row, chip_top, chip_height);
  if (box.right() < frame.placement.plot.left() || box.left() > frame.placement.plot.right()) return;
  QPainter& painter = frame.painter;
  const Theme& theme = frame.theme;
  const artifact::DecisionValue& value = scene_->value(row, chip);
  const bool rejected = !value.rejected.empty(), taken = scene_->taken(row, chip);
  painter.setPen(QPen(taken ? theme.selection : theme.border, taken ? 2 : 1, rejected ? Qt::DotLine : Qt::SolidLine));
  painter.setBrush(taken ? QBrush(theme.raised) : rejected ? idle_brush(theme) : QBrush(theme.surface));
  painter.drawRoundedRect(box, 4 * frame.zoom, 4 * frame.zoom);
  if (!rejected) {  // how likely it is drawn
    QRectF bar = frame.box(chip.left + 4, (chip.width - 8) * std::min(1.0, value.weight), row,
                           chip_top + chip_height - weight_height - 3, weight_height);
    painter.fillRect(visible_box(bar), theme.series[0]);
  }
  if (!searched_.isEmpty() && chip.text.contains(searched_, Qt::CaseInsensitive))
    painter.fillRect(box.adjusted(2, 2, -2, -2), QBrush(theme.warning, Qt::Dense6Pattern));
  if (!frame.legible()) return;
  QFont font = with_pixel_size(theme.data_font(), (font_size - 1) * frame.zoom);
  font.setStrikeOut(rejected && chip.others == 0);
  font.setBold(taken);
  painter.setFont(font);
  painter.setPen(rejected ? theme.muted_text : theme.text);
  draw_text(painter, box.adjusted(2, 0, -2, -6 * frame.zoom), Qt::AlignCenter, chip.text);
}

void SearchTreePainter::paint_heading(const Frame& frame) const {
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  QPainter& painter = frame.painter;
  painter.fillRect(band, frame.theme.surface);
  painter.setPen(frame.theme.text);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 13));
  const auto& tree = scene_->tree();
  QString title = scene_->layer();
  title += QStringLiteral(": %1 decisions, %2 paths tried").arg(tree.levels.size()).arg(tree.tried.size());
  draw_text(painter, band.adjusted(10, 4, -10, -26), Qt::AlignLeft | Qt::AlignVCenter, title);
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  draw_legend(painter, QRectF(band.left() + 10, band.top() + 28, band.width() - 20, 18), frame.theme,
              {{QBrush(frame.theme.raised), QStringLiteral("taken"), frame.theme.selection},
               {QBrush(frame.theme.surface), QStringLiteral("could be taken")},
               {QBrush(frame.theme.series[0]), QStringLiteral("chance of being drawn")},
               {idle_brush(frame.theme), QStringLiteral("rejected: the pointer reads why")}});
  painter.setPen(QPen(frame.theme.border, 1));
  painter.drawLine(band.bottomLeft(), band.bottomRight());
}

QString SearchTreePainter::reading(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  if (!placed.plot.contains(point)) return {};
  const QPointF content = placed.content(point);
  const double row = std::floor(content.y() / row_height);
  if (row < 0 || row >= static_cast<double>(scene_->rows().size())) return {};
  const auto index = static_cast<std::size_t>(row);
  for (const SearchTreeScene::Chip& chip : scene_->rows()[index].chips)
    if (content.x() >= chip.left && content.x() <= chip.left + chip.width) return scene_->reading(index, chip);
  return {};
}

std::unique_ptr<CanvasPainter> make_search_tree_canvas(const Snapshot& snapshot) {
  const auto layer = snapshot.layer();
  const auto tree = layer && layer->mapped() ? layer->decision_tree() : nullptr;
  if (!tree) return std::make_unique<MessagePainter>(missing_message(snapshot, QStringLiteral("decision tree")));
  artifact::Ref subject;
  subject.layer = snapshot.selection.layer;
  subject.program = snapshot.program();
  auto painter = std::make_unique<SearchTreePainter>(
      std::make_shared<const SearchTreeScene>(tree, to_text(layer->program_name(0))), subject);
  painter->select(snapshot.selection);
  painter->set_stale(is_from_run_before(snapshot));
  return painter;
}

std::unique_ptr<ViewPainter> make_search_tree_painter(const Snapshot& snapshot) {
  return make_search_tree_canvas(snapshot);
}

}  // namespace convscope::ui
