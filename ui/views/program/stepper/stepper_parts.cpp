#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "ui/views/program/stepper/stepper_frame.h"
#include "ui/words/figures.h"

namespace convscope::ui {

using artifact::UnitActivity;

namespace {

QColor grey(std::int64_t value, const artifact::StateBlock& block) {
  const std::int64_t shade = block.bits <= 8 ? value : (value >> (std::min(block.bits, 48) - 8)) + 128;
  const int level = static_cast<int>(std::clamp<std::int64_t>(shade, 0, 255));
  return QColor::fromRgb(qRgb(level, level, level));
}

/// Number of a line: of its row where rows are words, else of its first element.
QString line_label(const artifact::StateBlock& block, const StepperBlock& shown, std::size_t line) {
  const std::int64_t first = shown.lines[line].first;
  if (shown.across == block.columns && block.columns > 1) return count_text(first / block.columns);
  return count_text(first);
}

}  // namespace

QBrush unit_fill(const Theme& theme, UnitActivity activity) {
  if (activity == UnitActivity::busy) return theme.multiply_accumulate;
  if (activity == UnitActivity::stalled) return QBrush(theme.warning, Qt::DiagCrossPattern);
  return idle_brush(theme);
}

void StepperPainter::paint_title(const Frame& frame, const StepperPlace& place, const QString& name,
                                 const QString& rest) const {
  if (!frame.legible()) return;
  QPainter& painter = frame.painter;
  const QRectF box = frame.pixel(QRectF(place.box.topLeft(), QSizeF(place.box.width(), stepper::title_height)));
  painter.setFont(with_pixel_size(frame.theme.label_font(), std::floor(12 * frame.zoom)));
  painter.setPen(frame.theme.text);
  draw_text(painter, box, Qt::AlignLeft | Qt::AlignVCenter, name);
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(name) + 10 * frame.zoom;
  painter.setPen(frame.theme.muted_text);
  draw_text(painter, box.adjusted(width, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, rest);
}

void StepperPainter::paint_units(const Frame& frame, const StepperPlace& place) const {
  paint_title(frame, place, QStringLiteral("units"),
              QStringLiteral("what each does in this cycle, or why it does nothing"));
  QPainter& painter = frame.painter;
  const double zoom = frame.zoom;
  for (std::size_t i = 0; i < scene_->units.size(); ++i) {
    const StepperUnit& unit = scene_->units[i];
    const QRectF row = frame.pixel(layout_.unit_box(place, i));
    painter.setPen(QPen(frame.theme.border, 1));
    painter.setBrush(unit_fill(frame.theme, unit.activity));
    painter.drawRect(QRectF(row.left(), row.top() + 3 * zoom, 26 * zoom, row.height() - 6 * zoom));
    if (!frame.legible()) continue;
    painter.setFont(with_pixel_size(frame.theme.data_font(), frame.font_pixels()));
    painter.setPen(frame.theme.text);
    draw_text(painter, QRectF(row.left() + 34 * zoom, row.top(), 84 * zoom, row.height()),
              Qt::AlignLeft | Qt::AlignVCenter, unit.name);
    if (unit.activity != UnitActivity::busy) painter.setPen(frame.theme.muted_text);
    draw_text(painter, QRectF(row.left() + 122 * zoom, row.top(), 56 * zoom, row.height()),
              Qt::AlignLeft | Qt::AlignVCenter, to_text(artifact::unit_activity_name(unit.activity)));
    draw_text(painter, row.adjusted(182 * zoom, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, unit.text);
  }
}

void StepperPainter::paint_block(const Frame& frame, const StepperPlace& place) const {
  const StepperBlock& block = scene_->blocks[place.index];
  const artifact::StateBlock& about = scene_->schema(block.block);
  QString rest = to_text(artifact::state_kind_name(about.kind));
  if (!about.help.empty()) rest += QStringLiteral(" · ") + to_text(about.help);
  if (block.differing > 0) rest += QStringLiteral(" · %1 differ").arg(count_text(block.differing));
  if (block.hidden > 0) rest += QStringLiteral(" · %1 more").arg(count_text(block.hidden));
  paint_title(frame, place, to_text(about.name), rest);
  for (std::size_t line = 0; line < block.lines.size(); ++line) paint_line(frame, place, line);
  if (!block.lines.empty() || !frame.legible()) return;
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), frame.font_pixels()));
  frame.painter.setPen(frame.theme.muted_text);
  draw_text(frame.painter,
            frame.pixel(QRectF(place.box.left() + stepper::label_width, place.box.top() + stepper::title_height, 200,
                               stepper::line_height)),
            Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("empty"));
}

void StepperPainter::paint_line(const Frame& frame, const StepperPlace& place, std::size_t line) const {
  const StepperBlock& block = scene_->blocks[place.index];
  const artifact::StateBlock& about = scene_->schema(block.block);
  if (frame.legible() && about.size() > 1) {
    const bool gap =
        line > 0 && block.lines[line].first !=
                        block.lines[line - 1].first + static_cast<std::int64_t>(block.lines[line - 1].cells.size());
    const QRectF first = layout_.cell_box(place, block, line, 0);
    frame.painter.setFont(with_pixel_size(frame.theme.data_font(), frame.font_pixels()));
    frame.painter.setPen(frame.theme.muted_text);
    draw_text(
        frame.painter, frame.pixel(QRectF(place.box.left(), first.top(), stepper::label_width - 6, first.height())),
        Qt::AlignRight | Qt::AlignVCenter, (gap ? QStringLiteral("⋮ ") : QString()) + line_label(about, block, line));
  }
  for (std::size_t i = 0; i < block.lines[line].cells.size(); ++i)
    paint_cell(frame, frame.pixel(layout_.cell_box(place, block, line, i)), block.lines[line].cells[i],
               about.format == artifact::StateFormat::text);
}

void StepperPainter::paint_cell(const Frame& frame, const QRectF& box, const StepperCell& cell, bool text) const {
  QPainter& painter = frame.painter;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(frame.theme.grid, 1));
  if (cell.marks & mark::written) {
    painter.fillRect(box, frame.theme.raised);
    painter.fillRect(QRectF(box.left(), box.top(), std::min(3.0, box.width() / 4), box.height()), frame.theme.write);
    painter.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), frame.theme.write);
  } else {
    painter.drawRect(box);
  }
  if (cell.marks & mark::read) {
    painter.setPen(QPen(frame.theme.dark ? frame.theme.read : frame.theme.write, 1.5, Qt::DashLine));
    painter.drawRect(box.adjusted(1, 1, -1, -1));
  }
  if (cell.marks & mark::differs) {
    const double side = std::min(6.0, box.height() / 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(frame.theme.worse);
    painter.drawPolygon(
        QPolygonF({box.topRight(), box.topRight() - QPointF(side, 0), box.topRight() + QPointF(0, side)}));
  }
  if (cell.text.isEmpty() || !frame.legible()) return;
  painter.setFont(with_pixel_size(frame.theme.data_font(), frame.font_pixels()));
  painter.setPen(cell.text == QStringLiteral("-") ? frame.theme.muted_text : frame.theme.text);
  draw_text(painter, box.adjusted(4 * frame.zoom, 0, -3 * frame.zoom, 0),
            (text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, cell.text);
}

void StepperPainter::paint_picture(const Frame& frame, const StepperPlace& place) const {
  const StepperPicture& picture = scene_->pictures[place.index];
  const artifact::StateBlock& about = scene_->schema(picture.block);
  QString rest = QStringLiteral("%1 × %2 pixels").arg(count_text(about.columns), count_text(about.rows));
  if (!about.help.empty()) rest += QStringLiteral(" · ") + to_text(about.help);
  if (!picture.detail.isEmpty())
    rest += QStringLiteral(" · right: columns %1 to %2, rows %3 to %4")
                .arg(picture.detail.left())
                .arg(picture.detail.right())
                .arg(picture.detail.top())
                .arg(picture.detail.bottom());
  paint_title(frame, place, to_text(about.name), rest);
  QPainter& painter = frame.painter;
  const QRectF map = layout_.overview_box(place, about), box = frame.pixel(map);
  painter.fillRect(box, idle_brush(frame.theme));
  painter.drawImage(box, picture.overview);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(frame.theme.border, 1));
  painter.drawRect(box);
  const double across = map.width() / static_cast<double>(about.columns);
  const double down = map.height() / static_cast<double>(about.rows);
  if (!picture.detail.isEmpty()) {
    painter.setPen(QPen(frame.theme.selection, 1.5));
    painter.drawRect(visible_box(
        frame.pixel(QRectF(map.left() + picture.detail.left() * across, map.top() + picture.detail.top() * down,
                           picture.detail.width() * across, picture.detail.height() * down))));
  }
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    paint_pixel(frame, frame.pixel(layout_.pixel_box(place, picture, i)), picture.pixels[i], about);
  // Outlines last: neighbours would paint over them.
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    const QRectF pixel = frame.pixel(layout_.pixel_box(place, picture, i));
    painter.setBrush(Qt::NoBrush);
    if (picture.pixels[i].held) {
      painter.setPen(QPen(frame.theme.selection, picture.pixels[i].lane < 0 ? 1 : 2,
                          picture.pixels[i].lane < 0 ? Qt::DotLine : Qt::SolidLine));
      painter.drawRect(pixel.adjusted(1, 1, -1, -1));
    }
    if (picture.pixels[i].marks & mark::written) {
      painter.setPen(QPen(frame.theme.write, 3));
      painter.drawRect(pixel.adjusted(1, 1, -1, -1));
    }
  }
}

void StepperPainter::paint_pixel(const Frame& frame, const QRectF& box, const StepperPixel& pixel,
                                 const artifact::StateBlock& block) const {
  if (pixel.value == artifact::no_value) {
    frame.painter.fillRect(box, idle_brush(frame.theme));
    return;
  }
  const QColor fill = grey(pixel.value, block);
  frame.painter.fillRect(box, fill);
  if (pixel.lane < 0 || !frame.legible()) return;
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), std::floor(10 * frame.zoom)));
  frame.painter.setPen(frame.theme.text_on(fill));
  draw_text(frame.painter, box, Qt::AlignCenter, QString::number(pixel.lane));
}

void StepperPainter::paint_pick(const Frame& frame) const {
  if (!picked_) return;
  const QRectF box = layout_.box_of(*scene_, *picked_);
  if (box.isNull()) return;
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setPen(QPen(frame.theme.selection, 2.5));
  frame.painter.drawRect(frame.pixel(box));
}

}  // namespace convscope::ui
