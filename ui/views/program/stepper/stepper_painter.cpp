#include "ui/views/program/stepper/stepper_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/stale_mark.h"
#include "ui/views/program/shown_program.h"
#include "ui/views/program/stepper/stepper_frame.h"
#include "ui/words/figures.h"

namespace convscope::ui {

using artifact::UnitActivity;

namespace {

constexpr double header_height = 72;

}  // namespace

StepperPainter::StepperPainter(std::shared_ptr<const StepperScene> scene)
    : scene_(std::move(scene)), layout_(*scene_) {}

CanvasGeometry StepperPainter::geometry(const QRectF& area) const {
  return {area.adjusted(0, header_height, 0, 0), layout_.size(), QSizeF(1, 1), true, true, 3};
}

bool StepperPainter::covers(const artifact::Ref& selection, int program) const {
  if (!CanvasPainter::covers(selection, program)) return false;
  return selection.cycle < 0 || shown_cycle(*scene_->trace, nullptr, selection.cycle) == scene_->cycle;
}

QSizeF StepperPainter::preferred_size() const {
  return {layout_.size().width(), header_height + layout_.size().height()};
}

void StepperPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{{painter, theme, area, placement(area)}};
  if (!frame.empty()) {
    painter.save();
    painter.setClipRect(frame.placement.plot);
    for (const StepperPlace& place : layout_.places()) {
      if (!frame.placement.pixel(place.box).intersects(frame.placement.plot)) continue;
      if (place.what == StepperPlace::What::units) paint_units(frame, place);
      if (place.what == StepperPlace::What::block) paint_block(frame, place);
      if (place.what == StepperPlace::What::picture) paint_picture(frame, place);
    }
    paint_pick(frame);
    painter.restore();
  }
  paint_header(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

void StepperPainter::paint_header(const Frame& frame) const {
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), header_height);
  frame.painter.fillRect(band, frame.theme.surface);
  const artifact::CycleChanges& changes = scene_->changes;
  QString place = QStringLiteral("cycle %1 of %2").arg(count_text(scene_->cycle), count_text(scene_->trace->cycles()));
  if (changes.address >= 0) place += QStringLiteral(" · instruction %1").arg(count_text(changes.address));
  if (changes.iteration >= 0) place += QStringLiteral(" · iteration %1").arg(count_text(changes.iteration));
  if (scene_->compared >= 0) place += QStringLiteral(" · beside cycle %1").arg(count_text(scene_->compared));
  const QRectF line(band.left() + 8, band.top() + 3, band.width() - 16, 18);
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 13));
  frame.painter.setPen(frame.theme.text);
  draw_text(frame.painter, line, Qt::AlignLeft | Qt::AlignVCenter, place);
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
  // Where a run ends early, that is more than what its last instruction does.
  const bool refused = !scene_->trace->refusal().empty() && scene_->cycle == scene_->trace->cycles() - 1;
  frame.painter.setPen(refused ? frame.theme.error : frame.theme.muted_text);
  draw_text(frame.painter, line.translated(0, 18), Qt::AlignLeft | Qt::AlignVCenter,
            refused ? QStringLiteral("the run ends early: ") + to_text(scene_->trace->refusal()) : scene_->instruction);
  paint_legend(frame, line.translated(0, 36));
  paint_bar(frame);
  frame.painter.setPen(QPen(frame.theme.border, 1));
  frame.painter.drawLine(band.bottomLeft(), band.bottomRight());
}

void StepperPainter::paint_legend(const Frame& frame, const QRectF& box) const {
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  const QFontMetricsF metrics(frame.painter.font());
  double x = box.left();
  const auto add = [&](std::uint8_t marks, const QString& name) {
    const double width = 24 + metrics.horizontalAdvance(name) + 14;
    if (x + width > box.right()) return;
    const QRectF sample(x, box.center().y() - 6, 18, 12);
    frame.painter.fillRect(sample, frame.theme.background);
    paint_cell(frame, sample, {QString(), QString(), marks}, false);
    frame.painter.setPen(frame.theme.muted_text);
    draw_text(frame.painter, QRectF(x + 24, box.top(), width, box.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += width;
  };
  add(mark::written, QStringLiteral("written in this cycle"));
  add(mark::read, QStringLiteral("read"));
  if (scene_->compared >= 0) add(mark::differs, QStringLiteral("differs"));
  std::vector<LegendEntry> entries = {{unit_fill(frame.theme, UnitActivity::busy), QStringLiteral("busy")},
                                      {unit_fill(frame.theme, UnitActivity::stalled), QStringLiteral("stalled")},
                                      {unit_fill(frame.theme, UnitActivity::idle), QStringLiteral("idle")}};
  if (!scene_->pictures.empty())
    entries.push_back({QBrush(), QStringLiteral("in the window, with its lane"), frame.theme.selection});
  draw_legend(frame.painter, QRectF(x, box.top(), box.right() - x, box.height()), frame.theme, entries);
}

QRectF StepperPainter::bar(const QRectF& area) const {
  return {area.left() + 8, area.top() + header_height - 12, std::max(0.0, area.width() - 16), 8};
}

void StepperPainter::paint_bar(const Frame& frame) const {
  const QRectF box = bar(frame.area);
  frame.painter.fillRect(box, frame.theme.grid);
  const double last = static_cast<double>(std::max<std::int64_t>(1, scene_->trace->cycles() - 1));
  const auto at = [&](std::int64_t cycle) { return box.left() + box.width() * static_cast<double>(cycle) / last; };
  frame.painter.fillRect(QRectF(box.left(), box.top() + 2, at(scene_->cycle) - box.left(), 4), frame.theme.muted_text);
  if (scene_->compared >= 0)
    frame.painter.fillRect(QRectF(at(scene_->compared) - 1.5, box.top() - 1, 3, 10), frame.theme.worse);
  frame.painter.fillRect(QRectF(at(scene_->cycle) - 2, box.top() - 2, 4, 12), frame.theme.selection);
}

std::optional<std::int64_t> StepperPainter::cycle_at(QPointF point, const QRectF& area) const {
  const QRectF box = bar(area);
  if (!box.adjusted(-6, -4, 6, 4).contains(point) || box.width() < 1) return std::nullopt;
  const double share = std::clamp((point.x() - box.left()) / box.width(), 0.0, 1.0);
  return std::llround(share * static_cast<double>(scene_->trace->cycles() - 1));
}

std::optional<artifact::Ref> StepperPainter::hit(QPointF point, const QRectF& area) const {
  const auto cycle = cycle_at(point, area);
  if (!cycle) return std::nullopt;
  artifact::Ref ref = scene_->subject;
  ref.cycle = *cycle;
  return ref;
}

std::optional<StepperPick> StepperPainter::pick_at(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  if (!placed.plot.contains(point)) return std::nullopt;
  const QPointF at = placed.content(point);
  for (const StepperPlace& place : layout_.places()) {
    if (!place.box.contains(at)) continue;
    if (place.what == StepperPlace::What::units) {
      const double unit = std::floor((at.y() - place.box.top() - stepper::title_height) / stepper::unit_height);
      if (unit < 0 || unit >= static_cast<double>(scene_->units.size())) return std::nullopt;
      return StepperPick{-1, static_cast<std::int64_t>(unit)};
    }
    if (place.what == StepperPlace::What::block) {
      const StepperBlock& block = scene_->blocks[place.index];
      for (std::size_t line = 0; line < block.lines.size(); ++line)
        for (std::size_t cell = 0; cell < block.lines[line].cells.size(); ++cell)
          if (layout_.cell_box(place, block, line, cell).contains(at))
            return StepperPick{block.block, block.lines[line].first + static_cast<std::int64_t>(cell)};
      return std::nullopt;
    }
    const StepperPicture& picture = scene_->pictures[place.index];
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
      if (!layout_.pixel_box(place, picture, i).contains(at)) continue;
      const auto pixel = static_cast<int>(i);
      const int row = picture.detail.top() + pixel / picture.detail.width();
      const int column = picture.detail.left() + pixel % picture.detail.width();
      return StepperPick{picture.block, row * scene_->schema(picture.block).columns + column};
    }
  }
  return std::nullopt;
}

QString StepperPainter::pick_reading(const StepperPick& pick) const {
  QString text = scene_->name(pick);
  if (pick.block < 0) {
    const StepperUnit& unit = scene_->units[static_cast<std::size_t>(pick.index)];
    text += QStringLiteral(": %1\n%2").arg(to_text(artifact::unit_activity_name(unit.activity)), unit.text);
    return unit.why.isEmpty() ? text : text + QStringLiteral("\n") + unit.why;
  }
  if (const StepperCell* cell = scene_->cell(pick)) {
    text += QStringLiteral(": ") + cell->text;
    if (cell->marks & mark::written) text += QStringLiteral("\nwritten in this cycle");
    if (cell->marks & mark::read) text += QStringLiteral("\nread in this cycle");
    if (cell->marks & mark::differs)
      text += QStringLiteral("\nin cycle %1: %2").arg(count_text(scene_->compared), cell->before);
    return text + QStringLiteral("\nW: who wrote it, U: its next use");
  }
  for (const StepperPicture& picture : scene_->pictures) {
    if (picture.block != pick.block) continue;
    const std::int64_t columns = scene_->schema(pick.block).columns;
    const QPoint inside = QPoint(static_cast<int>(pick.index % columns), static_cast<int>(pick.index / columns)) -
                          picture.detail.topLeft();
    const auto at = static_cast<std::size_t>(inside.y() * picture.detail.width() + inside.x());
    if (inside.x() < 0 || inside.y() < 0 || at >= picture.pixels.size()) continue;
    const StepperPixel& pixel = picture.pixels[at];
    text += pixel.value == artifact::no_value ? QStringLiteral(": not computed yet")
                                              : QStringLiteral(": %1").arg(pixel.value);
    if (pixel.held && pixel.lane < 0) text += QStringLiteral("\nin the window");
    if (pixel.lane >= 0) text += QStringLiteral("\nin the window: lane %1 works with it").arg(pixel.lane);
    if (pixel.marks & mark::written) text += QStringLiteral("\nwritten in this cycle");
  }
  return text;
}

QString StepperPainter::reading(QPointF point, const QRectF& area) const {
  if (const auto cycle = cycle_at(point, area))
    return QStringLiteral("cycle %1 of %2: click to go there")
        .arg(count_text(*cycle), count_text(scene_->trace->cycles()));
  const auto pick = pick_at(point, area);
  return pick ? pick_reading(*pick) : QString();
}

std::unique_ptr<CanvasPainter> make_stepper_canvas(const Snapshot& snapshot, const StepperSetting& setting,
                                                   TraceShelf* shelf, const std::stop_token& stop) {
  QString complaint;
  const auto make = [&](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
    const auto source = trace_source(snapshot);
    if (!source) return nullptr;
    const OpenedTrace opened = shelf ? shelf->open(*source, setting.run, stop) : open_trace(*source, setting.run, stop);
    complaint = opened.complaint;
    if (!opened.trace) return nullptr;
    if (opened.trace->cycles() <= 0) {
      complaint = QStringLiteral("The run has no cycle. %1").arg(to_text(opened.trace->refusal()));
      return nullptr;
    }
    return std::make_unique<StepperPainter>(make_stepper_scene(
        {opened.trace, shown.subject, snapshot.selection.cycle, setting.compared, opened.timeline, opened.graph},
        stop));
  };
  auto painter = picture_of_program(snapshot, QStringLiteral("trace"), make);
  if (complaint.isEmpty()) return painter;
  return std::make_unique<MessagePainter>(QStringLiteral("The program can't be looked at:\n%1").arg(complaint));
}

std::unique_ptr<ViewPainter> make_stepper_painter(const Snapshot& snapshot) {
  // Exports and reports ask for the same program's picture again and again.
  static TraceShelf shelf;
  return make_stepper_canvas(snapshot, {}, &shelf, {});
}

}  // namespace convscope::ui
