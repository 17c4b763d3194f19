#include "ui/views/program/listing/program_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/views/program/shown_program.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double heading = 26, row_height = 19, font_size = 12, letter_width = 7.3, padding = 16;

}  // namespace

struct ProgramPainter::Frame : CanvasFrame {
  bool legible() const { return font_size * zoom >= 5; }
};

ProgramPainter::ProgramPainter(std::shared_ptr<const ProgramScene> scene) : scene_(std::move(scene)) {
  lefts_.push_back(0);
  for (const auto& column : scene_->columns())
    lefts_.push_back(lefts_.back() + column.letters * letter_width + padding);
}

QRectF ProgramPainter::row_box(int row) const {
  return {0, row * row_height, 1, row_height};
}

CanvasGeometry ProgramPainter::geometry(const QRectF& area) const {
  return {area.adjusted(0, heading, 0, 0),
          QSizeF(lefts_.back(), std::max(1, scene_->rows()) * row_height),
          QSizeF(1, 1),
          true,
          true,
          2.5};
}

void ProgramPainter::select(const artifact::Ref& selection) {
  CanvasPainter::select(selection);
  marked_row_ = scene_->row_at_cycle(selection.cycle);
  marked_.clear();
  if (selection.operation != 0 || selection.word >= 0) marked_ = scene_->linked().of(selection);
}

std::optional<QRectF> ProgramPainter::place_of(const artifact::Ref& ref) const {
  if (const int row = scene_->row_at_cycle(ref.cycle); row >= 0) return row_box(row);
  int last = -1;  // the steady state rather than the prologue
  for (const artifact::OperationKey operation : scene_->linked().of(ref)) {
    const std::vector<int> rows = scene_->rows_of(operation);
    if (!rows.empty()) last = std::max(last, rows.back());
  }
  return last < 0 ? std::nullopt : std::optional(row_box(last));
}

std::vector<CanvasMatch> ProgramPainter::search(const QString& text) {
  searched_ = text;
  std::vector<CanvasMatch> matches;
  for (const int row : scene_->search(text)) {
    artifact::Ref ref = scene_->subject();
    ref.cycle = scene_->cycle(row);
    matches.push_back({row_box(row), ref});
  }
  return matches;
}

QSizeF ProgramPainter::preferred_size() const {
  constexpr double tallest = 16000;
  const double height = std::max(1, scene_->rows()) * row_height;
  const double scale = std::min(1.0, tallest / height);
  return {lefts_.back() * scale, heading + height * scale};
}

void ProgramPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{{painter, theme, area, placement(area)}};
  if (frame.empty()) return;
  painter.save();
  painter.setClipRect(frame.placement.plot);
  painter.setFont(with_pixel_size(theme.data_font(), font_size * frame.zoom));
  const QRectF seen = frame.placement.seen();
  const int first = std::max(0, static_cast<int>(seen.top() / row_height));
  const int last = std::min(scene_->rows() - 1, static_cast<int>(seen.bottom() / row_height));
  for (int row = first; row <= last; ++row) paint_row(frame, row);
  painter.restore();
  paint_headings(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

void ProgramPainter::paint_row(const Frame& frame, int row) const {
  const Placement& p = frame.placement;
  const QRectF line(p.plot.left(), p.pixel(QPointF(0, row * row_height)).y(), p.plot.width(), row_height * frame.zoom);
  const auto& lines = scene_->listing().lines;
  const auto index = static_cast<std::size_t>(row);
  if (row == marked_row_) frame.painter.fillRect(line, frame.theme.raised);
  if (row > 0 && lines[index].section != lines[index - 1].section) {
    frame.painter.setPen(QPen(frame.theme.border, 1.5));
    frame.painter.drawLine(line.topLeft(), line.topRight());
  }
  for (int column = 0; column < static_cast<int>(scene_->columns().size()); ++column) {
    const auto c = static_cast<std::size_t>(column);
    const QRectF box = p.pixel(QRectF(lefts_[c], row * row_height, lefts_[c + 1] - lefts_[c], row_height));
    if (box.right() >= p.plot.left() && box.left() <= p.plot.right()) paint_field(frame, row, column, box);
  }
}

void ProgramPainter::paint_field(const Frame& frame, int row, int column, const QRectF& box) const {
  QPainter& painter = frame.painter;
  const artifact::ListingField* field = scene_->field(row, column);
  const QString text = scene_->text(row, column);
  if (field && field->operation != 0) {
    const auto kind = scene_->kind(field->operation);
    const QColor colour = frame.theme.colour(kind.value_or(artifact::OperationClass::other));
    painter.fillRect(QRectF(box.left() + 2 * frame.zoom, box.top() + 2 * frame.zoom, std::max(1.0, 4 * frame.zoom),
                            std::max(1.0, box.height() - 4 * frame.zoom)),
                     colour);
  }
  if (!searched_.isEmpty() && text.contains(searched_, Qt::CaseInsensitive)) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(frame.theme.warning, Qt::Dense5Pattern));
    painter.drawRect(box.adjusted(8 * frame.zoom, 1, -2, -1));
  }
  if (frame.legible()) {
    painter.setPen(column < ProgramScene::first_field ? frame.theme.muted_text : frame.theme.text);
    const bool number = column == ProgramScene::address_column;
    draw_text(painter, box.adjusted(9 * frame.zoom, 0, -3 * frame.zoom, 0),
              (number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
  }
  if (field && marked_.contains(field->operation)) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(frame.theme.selection, row == marked_row_ ? 3 : 1.5));
    painter.drawRect(box.adjusted(1, 1, -1, -1));
  }
}

void ProgramPainter::paint_headings(const Frame& frame) const {
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  frame.painter.fillRect(band, frame.theme.surface);
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  frame.painter.setPen(frame.theme.text);
  for (std::size_t c = 0; c < scene_->columns().size(); ++c) {
    const double left = frame.placement.pixel(QPointF(lefts_[c], 0)).x() + 9 * frame.zoom;
    const double right = frame.placement.pixel(QPointF(lefts_[c + 1], 0)).x();
    draw_text(frame.painter, QRectF(left, band.top(), right - left, heading), Qt::AlignLeft | Qt::AlignVCenter,
              scene_->columns()[c].name);
  }
  frame.painter.setPen(QPen(frame.theme.border, 1));
  frame.painter.drawLine(band.bottomLeft(), band.bottomRight());
}

std::optional<ProgramPainter::Spot> ProgramPainter::spot(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  if (!placed.plot.contains(point)) return std::nullopt;
  const QPointF content = placed.content(point);
  const int row = static_cast<int>(std::floor(content.y() / row_height));
  const auto right = std::upper_bound(lefts_.begin(), lefts_.end(), content.x());
  if (row < 0 || row >= scene_->rows() || right == lefts_.begin() || right == lefts_.end()) return std::nullopt;
  return Spot{row, static_cast<int>(right - lefts_.begin()) - 1};
}

std::optional<artifact::Ref> ProgramPainter::hit(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found) return std::nullopt;
  artifact::Ref ref = scene_->subject();
  ref.cycle = scene_->cycle(found->row);
  const artifact::ListingField* field = scene_->field(found->row, found->column);
  if (field) ref.operation = field->operation;
  return ref;
}

QString ProgramPainter::reading(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found) return {};
  const artifact::ListingLine& line = scene_->listing().lines[static_cast<std::size_t>(found->row)];
  QString text = QStringLiteral("address %1, %2").arg(line.address).arg(to_text(line.section));
  if (const std::int64_t cycle = scene_->cycle(found->row); cycle >= 0) {
    text += QStringLiteral(", first at cycle %1").arg(count_text(cycle));
  }
  const artifact::ListingField* field = scene_->field(found->row, found->column);
  if (!field) return text;
  const QString column = scene_->columns()[static_cast<std::size_t>(found->column)].name;
  if (field->text.empty()) return text + QStringLiteral("\n%1 does nothing").arg(column);
  text += QStringLiteral("\n%1: %2").arg(column, to_text(field->text));
  const auto kind = scene_->kind(field->operation);
  if (kind) text += QStringLiteral(" · ") + kind_name(*kind);
  const QString dependences = scene_->operations().reading(field->operation);
  return dependences.isEmpty() ? text : text + QStringLiteral("\n") + dependences;
}

std::unique_ptr<CanvasPainter> make_program_canvas(const Snapshot& snapshot) {
  const auto make = [](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
    const auto listing = shown.compiled->listing(shown.number);
    if (!listing || listing->lines.empty()) return nullptr;
    return std::make_unique<ProgramPainter>(std::make_shared<const ProgramScene>(
        listing, shown.compiled->task_graph(shown.number), shown.compiled->timeline(shown.number), shown.subject,
        shown.compiled->links(shown.number)));
  };
  return picture_of_program(snapshot, QStringLiteral("program"), make);
}

std::unique_ptr<ViewPainter> make_program_painter(const Snapshot& snapshot) {
  return make_program_canvas(snapshot);
}

}  // namespace convscope::ui
