#include "ui/views/program/draft/draft_painter.h"

#include <QFileInfo>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <sstream>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/views/program/shown_program.h"

namespace convscope::ui {
namespace {

constexpr double heading = 26, ruler = 78, row_height = 20, legible_row = 7;

}  // namespace

struct DraftPainter::Frame : CanvasFrame {
  double column = 0;                          ///< pixels
  std::int64_t first_seen = 0, end_seen = 0;  ///< cycles
  bool legible = false;                       ///< rows are high enough for text, and for slots that are taken
};

int DraftPainter::columns() const {
  return static_cast<int>(board_->tools().resources().size());
}

CanvasGeometry DraftPainter::geometry(const QRectF& area) const {
  const QRectF plot = area.adjusted(ruler, heading, 0, 0);
  return {plot, QSizeF(plot.width(), static_cast<double>(board_->cycles())), QSizeF(1, row_height), false, true, 2};
}

artifact::Ref DraftPainter::subject() const {
  artifact::Ref subject = board_->subject();
  subject.cycle = 1;  // the viewport is another than that of the compiler's schedule
  return subject;
}

int DraftPainter::waiting_row(int operation) const {
  const auto& waiting = board_->waiting();
  const auto found = std::find(waiting.begin(), waiting.end(), operation);
  return found == waiting.end() ? -1 : static_cast<int>(found - waiting.begin());
}

QRectF DraftPainter::box(const Frame& frame, int column, std::int64_t cycle) const {
  const double top = frame.placement.pixel(QPointF(0, static_cast<double>(cycle - board_->first_cycle()))).y();
  return {frame.placement.plot.left() + column * frame.column + 1, top + 0.5, frame.column - 2,
          frame.placement.scale.height() - 1};
}

void DraftPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  Frame frame{{painter, theme, area, placement(area)}, 0, 0, 0, false};
  painter.fillRect(area, theme.background);
  if (frame.empty()) return;
  frame.column = frame.placement.plot.width() / (columns() + 1);
  frame.legible = frame.placement.scale.height() >= legible_row;
  const QRectF seen = frame.placement.seen();
  frame.first_seen = board_->first_cycle() + static_cast<std::int64_t>(std::floor(seen.top()));
  frame.end_seen =
      board_->first_cycle() + std::min(board_->cycles(), static_cast<std::int64_t>(std::ceil(seen.bottom())) + 1);
  painter.setFont(with_pixel_size(theme.data_font(), std::clamp(frame.placement.scale.height() * 0.6, 7.0, 13.0)));
  paint_grid(frame);
  if (frame.legible) paint_ghosts(frame);
  paint_legal(frame);
  paint_operations(frame);
  paint_headings(frame);
}

void DraftPainter::paint_grid(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  for (std::int64_t cycle = frame.first_seen; cycle < frame.end_seen; ++cycle) {
    const QRectF row = box(frame, 0, cycle);
    const bool begins = board_->shown().row(cycle) == 0;
    if (!begins && !frame.legible) continue;
    frame.painter.setPen(QPen(begins ? frame.theme.text : frame.theme.grid, begins ? 1.5 : 1));
    frame.painter.drawLine(QPointF(plot.left(), row.top()), QPointF(plot.left() + columns() * frame.column, row.top()));
    frame.painter.setPen(frame.theme.text);
    draw_text(frame.painter, QRectF(plot.left() - ruler, row.top(), 42, row.height()),
              Qt::AlignRight | Qt::AlignVCenter, QString::number(cycle));
    frame.painter.setPen(frame.theme.muted_text);
    draw_text(frame.painter, QRectF(plot.left() - 34, row.top(), 30, row.height()), Qt::AlignRight | Qt::AlignVCenter,
              QString::number(board_->shown().row(cycle)));
  }
  frame.painter.setPen(QPen(frame.theme.border, 1));
  for (int column = 0; column <= columns(); ++column) {
    const double x = plot.left() + column * frame.column;
    frame.painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  }
}

// Slots that the same operations take in the iterations before and after.
void DraftPainter::paint_ghosts(const Frame& frame) const {
  const schedule::Draft& draft = board_->shown();
  const QBrush hatched = idle_brush(frame.theme);
  for (int i = 0; i < draft.problem->operations(); ++i) {
    if (!draft.is_placed(i)) continue;
    const std::int64_t interval = draft.interval();
    const std::int64_t first = frame.first_seen + draft.row(draft.cycle(i) - frame.first_seen);
    for (std::int64_t cycle = first; cycle < frame.end_seen; cycle += interval)
      if (cycle != draft.cycle(i))
        frame.painter.fillRect(box(frame, board_->tools().operations()[static_cast<std::size_t>(i)].resource, cycle),
                               hatched);
  }
}

// Where the operation under the pointer could be put down, with all that come with it.
void DraftPainter::paint_legal(const Frame& frame) const {
  const int held = board_->current();
  if (!board_->is_carrying() || held < 0) return;
  const int column = board_->tools().operations()[static_cast<std::size_t>(held)].resource;
  const std::int64_t origin = board_->shown().cycle(held) - board_->shift();
  QColor light = frame.theme.better;
  light.setAlphaF(0.25);
  for (std::int64_t cycle = frame.first_seen; cycle < frame.end_seen; ++cycle) {
    if (!board_->is_legal(cycle - origin)) continue;
    const QRectF slot = box(frame, column, cycle);
    frame.painter.fillRect(slot, light);
    frame.painter.setPen(QPen(frame.theme.better, 1.5));
    frame.painter.setBrush(Qt::NoBrush);
    frame.painter.drawEllipse(QPointF(slot.right() - 8, slot.center().y()), 3, 3);
  }
}

void DraftPainter::paint_operations(const Frame& frame) const {
  const schedule::Draft& draft = board_->shown();
  // What is held or chosen lies above the others.
  for (const bool above : {false, true})
    for (int i = 0; i < draft.problem->operations(); ++i) {
      const std::int64_t cycle = draft.cycle(i);
      if (cycle == schedule::unplaced || cycle < frame.first_seen || cycle >= frame.end_seen) continue;
      if (above != (board_->is_chosen(i) || board_->is_carried(i))) continue;
      paint_operation(frame, i, box(frame, board_->tools().operations()[static_cast<std::size_t>(i)].resource, cycle));
    }
  const auto& waiting = board_->waiting();
  const std::int64_t from = frame.first_seen - board_->first_cycle(), to = frame.end_seen - board_->first_cycle();
  for (std::int64_t row = from; row < std::min<std::int64_t>(to, static_cast<std::int64_t>(waiting.size())); ++row) {
    const int operation = waiting[static_cast<std::size_t>(row)];
    if (!draft.is_placed(operation))
      paint_operation(frame, operation, box(frame, columns(), board_->first_cycle() + row));
  }
}

void DraftPainter::paint_operation(const Frame& frame, int operation, const QRectF& box) const {
  const QColor fill = frame.theme.colour(board_->tools().operations()[static_cast<std::size_t>(operation)].kind);
  frame.painter.fillRect(box, fill);
  const bool broken = board_->is_broken(operation);
  frame.painter.setPen(frame.theme.text_on(fill));
  if (frame.legible)
    draw_text(frame.painter, box.adjusted(5, 0, broken ? -16 : -4, 0), Qt::AlignLeft | Qt::AlignVCenter,
              to_text(board_->label(operation)));
  if (broken && !frame.legible) frame.painter.fillRect(box.adjusted(box.width() - 12, 0, 0, 0), frame.theme.error);
  if (broken && frame.legible) {
    draw_text(frame.painter, box.adjusted(0, 0, -5, 0), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("!"));
    frame.painter.setBrush(Qt::NoBrush);
    frame.painter.setPen(QPen(frame.theme.background, 4));
    frame.painter.drawRect(box.adjusted(1, 1, -1, -1));
    frame.painter.setPen(QPen(frame.theme.error, 2, Qt::DashLine));
    frame.painter.drawRect(box.adjusted(1, 1, -1, -1));
  }
  if (!board_->is_chosen(operation) && !board_->is_carried(operation)) return;
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setPen(QPen(frame.theme.selection, board_->is_chosen(operation) ? 3 : 1.5));
  frame.painter.drawRect(box);
}

void DraftPainter::paint_headings(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  frame.painter.fillRect(band, frame.theme.surface);
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  frame.painter.setPen(frame.theme.text);
  for (int column = 0; column < columns(); ++column)
    draw_text(frame.painter, QRectF(plot.left() + column * frame.column + 6, band.top(), frame.column - 8, heading),
              Qt::AlignLeft | Qt::AlignVCenter, to_text(board_->tools().resources()[static_cast<std::size_t>(column)]));
  draw_text(frame.painter, QRectF(plot.left() + columns() * frame.column + 6, band.top(), frame.column - 8, heading),
            Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("to place: %1").arg(board_->waiting().size()));
  frame.painter.setPen(frame.theme.muted_text);
  draw_text(frame.painter, QRectF(band.left(), band.top(), 42, heading), Qt::AlignRight | Qt::AlignVCenter,
            QStringLiteral("cycle"));
  draw_text(frame.painter, QRectF(band.left() + ruler - 34, band.top(), 30, heading), Qt::AlignRight | Qt::AlignVCenter,
            QStringLiteral("row"));
}

std::optional<DraftPainter::Spot> DraftPainter::spot(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  if (!placed.plot.contains(point)) return std::nullopt;
  const auto row = static_cast<std::int64_t>(std::floor(placed.content(point).y()));
  if (row < 0 || row >= board_->cycles()) return std::nullopt;
  const double column = placed.plot.width() / (columns() + 1);
  Spot spot{board_->first_cycle() + row,
            std::clamp(static_cast<int>((point.x() - placed.plot.left()) / column), 0, columns()), -1};
  if (spot.column < columns()) {
    if (const auto here = board_->at(spot.column, spot.cycle); !here.empty()) spot.operation = here.front();
  } else if (row < static_cast<std::int64_t>(board_->waiting().size())) {
    spot.operation = board_->waiting()[static_cast<std::size_t>(row)];
  }
  return spot;
}

QPointF DraftPainter::centre(int column, std::int64_t cycle, const QRectF& area) const {
  const Placement placed = placement(area);
  const double width = placed.plot.width() / (columns() + 1);
  return {placed.plot.left() + (column + 0.5) * width,
          placed.pixel(QPointF(0, static_cast<double>(cycle - board_->first_cycle()) + 0.5)).y()};
}

QPointF DraftPainter::centre(int operation, const QRectF& area) const {
  if (board_->shown().is_placed(operation))
    return centre(board_->tools().operations()[static_cast<std::size_t>(operation)].resource,
                  board_->shown().cycle(operation), area);
  return centre(columns(), board_->first_cycle() + waiting_row(operation), area);
}

std::optional<artifact::Ref> DraftPainter::hit(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found || found->operation < 0) return std::nullopt;
  artifact::Ref ref = board_->subject();
  ref.operation = board_->tools().operations()[static_cast<std::size_t>(found->operation)].key;
  return ref;
}

QString DraftPainter::reading(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found) return {};
  if (found->operation >= 0) return to_text(board_->reading(found->operation));
  if (found->column == columns()) return {};
  return QStringLiteral("%1 free\ncycle %2, row %3 of the loop")
      .arg(to_text(board_->tools().resources()[static_cast<std::size_t>(found->column)]))
      .arg(found->cycle)
      .arg(board_->shown().row(found->cycle));
}

std::optional<QRectF> DraftPainter::place_of(const artifact::Ref& ref) const {
  const int operation = board_->find(ref.operation);
  if (operation < 0) return std::nullopt;
  const std::int64_t row = board_->shown().is_placed(operation)
                               ? board_->shown().cycle(operation) - board_->first_cycle()
                               : waiting_row(operation);
  return QRectF(0, static_cast<double>(row), 1, 1);
}

std::string DraftPainter::csv() const {
  std::ostringstream out;
  out << "operation,resource,cycle,row,broken\n";
  const schedule::Draft& draft = board_->shown();
  for (int i = 0; i < draft.problem->operations(); ++i) {
    const auto& operation = board_->tools().operations()[static_cast<std::size_t>(i)];
    out << csv_field(board_->name(i)) << ','
        << csv_field(board_->tools().resources()[static_cast<std::size_t>(operation.resource)]) << ',';
    if (draft.is_placed(i)) out << draft.cycle(i) << ',' << draft.row(draft.cycle(i));
    if (!draft.is_placed(i)) out << ',';
    out << ',' << (board_->is_broken(i) ? 1 : 0) << '\n';
  }
  return out.str();
}

std::unique_ptr<CanvasPainter> make_draft_canvas(const Snapshot& snapshot) {
  const auto make = [&](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
    auto tools = target::draft_tools(*shown.compiled, shown.number);
    if (!tools || !snapshot.network || snapshot.selection.layer < 0)
      return std::make_unique<MessagePainter>(
          QStringLiteral("This program has no loop that can be scheduled by hand.\nSteady state and Whole run show the "
                         "compiler's schedule."));
    const auto& run = snapshot.compiled ? snapshot.compiled : snapshot.previous;
    schedule::DraftOrigin origin{
        QFileInfo(QString::fromStdString(snapshot.network->source_file)).fileName().toStdString(), run->target->id(),
        run->level, snapshot.network->layers[static_cast<std::size_t>(snapshot.selection.layer)].name, shown.number};
    return std::make_unique<DraftPainter>(
        std::make_shared<DraftBoard>(std::move(tools), std::move(origin), shown.subject));
  };
  return picture_of_program(snapshot, QStringLiteral("schedule"), make);
}

}  // namespace convscope::ui
