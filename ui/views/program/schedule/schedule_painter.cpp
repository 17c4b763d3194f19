#include "ui/views/program/schedule/schedule_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/views/program/schedule/idle_reason.h"
#include "ui/views/program/shown_program.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double heading = 44, row_height = 20, section_width = 18, ruler_width = 108, smallest_row = 4;

bool same_instance(const artifact::PlacedCell& placed, const artifact::Ref& ref) {
  return (ref.iteration < 0 || placed.iteration == ref.iteration) && (ref.cycle < 0 || placed.begin == ref.cycle);
}

}  // namespace

struct SchedulePainter::Frame : CanvasFrame {
  double column = 0;     ///< pixels
  CycleRange seen = {};  ///< absolute cycles
  double bottom = 0;     ///< of what is drawn: the plot's end or the run's
  bool single = false;   ///< rows are high enough to show their cells

  double y(double cycle_of_range) const { return placement.pixel(QPointF(0, cycle_of_range)).y(); }
};

ScheduleMode legible_mode(const artifact::Timeline& timeline) {
  return timeline.length() <= 600 ? ScheduleMode::unrolled : ScheduleMode::steady_state;
}

SchedulePainter::SchedulePainter(std::shared_ptr<const ScheduleScene> scene, ScheduleMode mode,
                                 const artifact::Ref& selection)
    : scene_(std::move(scene)),
      mode_(mode),
      section_(scene_->section_for(selection)),
      range_(scene_->range(mode, section_)) {}

bool SchedulePainter::covers(const artifact::Ref& selection, int program) const {
  return CanvasPainter::covers(selection, program) &&
         (mode_ == ScheduleMode::unrolled || scene_->section_for(selection) == section_);
}

CanvasGeometry SchedulePainter::geometry(const QRectF& area) const {
  const QRectF plot = area.adjusted(section_width + ruler_width, heading, 0, 0);
  return {plot,
          QSizeF(plot.width(), static_cast<double>(std::max<std::int64_t>(1, range_.count))),
          QSizeF(1, row_height),
          false,
          true,
          2.5};
}

void SchedulePainter::select(const artifact::Ref& selection) {
  CanvasPainter::select(selection);
  neighbours_ = scene_->operations().neighbours(selection.operation);
  linked_.clear();
  if (selection.word >= 0) linked_ = scene_->linked().of(selection);
}

artifact::Ref SchedulePainter::subject() const {
  artifact::Ref subject = scene_->subject();
  if (mode_ == ScheduleMode::steady_state) subject.cycle = range_.first;
  return subject;
}

QSizeF SchedulePainter::preferred_size() const {
  constexpr double tallest = 16000;
  const double rows = std::min(tallest, static_cast<double>(std::max<std::int64_t>(1, range_.count)) * row_height);
  return {section_width + ruler_width + 160.0 * std::max(1, scene_->resources()), heading + rows};
}

std::optional<QRectF> SchedulePainter::place_of(const artifact::Ref& ref) const {
  const std::int64_t end = range_.first + range_.count;
  if (mode_ == ScheduleMode::steady_state) return place_in_repetition(ref);
  if (ref.operation != 0) {
    const auto& sections = scene_->timeline().sections();
    std::optional<QRectF> place;
    for (std::size_t s = 0; s < sections.size(); ++s) {
      for (const artifact::TimelineCell& cell : sections[s].cells) {
        if (cell.operation != ref.operation) continue;
        const std::int64_t from = std::max(range_.first, ref.cycle);
        const std::int64_t at = first_occurrence(scene_->timeline(), static_cast<int>(s), cell.begin, from, end);
        if (at < 0 || (place && at - range_.first >= place->top())) continue;
        place = QRectF(0, static_cast<double>(at - range_.first), 1,
                       static_cast<double>(std::max<std::int64_t>(1, cell.length)));
      }
    }
    if (place) return place;
  }
  if (ref.operation == 0 && ref.cycle < 0 && ref.word >= 0) return place_of_linked(ref);
  if (ref.cycle < range_.first || ref.cycle >= end) return std::nullopt;
  return QRectF(0, static_cast<double>(ref.cycle - range_.first), 1, 1);
}

/// Every repetition of the section is drawn in the same place.
std::optional<QRectF> SchedulePainter::place_in_repetition(const artifact::Ref& ref) const {
  if (section_ < 0) return std::nullopt;
  const auto& section = scene_->timeline().sections()[static_cast<std::size_t>(section_)];
  const std::unordered_set<artifact::OperationKey> wanted =
      ref.operation != 0 || ref.cycle < 0 ? scene_->linked().of(ref) : std::unordered_set<artifact::OperationKey>();
  for (const artifact::TimelineCell& cell : section.cells) {
    if (wanted.contains(cell.operation))
      return QRectF(0, static_cast<double>(cell.begin), 1, static_cast<double>(std::max<std::int64_t>(1, cell.length)));
  }
  const auto row = row_of_cycle(ref.cycle);
  return row ? std::optional(QRectF(0, static_cast<double>(*row), 1, 1)) : std::nullopt;
}

std::optional<std::int64_t> SchedulePainter::row_of_cycle(std::int64_t cycle) const {
  const auto& timeline = scene_->timeline();
  if (cycle < 0 || cycle >= timeline.length()) return std::nullopt;
  if (mode_ == ScheduleMode::unrolled) return cycle - range_.first;
  if (timeline.section_at(cycle) != section_ || range_.count <= 0) return std::nullopt;
  return (cycle - range_.first) % range_.count;
}

std::optional<QRectF> SchedulePainter::place_of_linked(const artifact::Ref& ref) const {
  std::optional<QRectF> first;
  for (const artifact::OperationKey operation : scene_->linked().of(ref)) {
    artifact::Ref each = ref;
    each.operation = operation;
    const auto place = place_of(each);
    if (place && (!first || place->top() < first->top())) first = place;
  }
  return first;
}

void SchedulePainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{{painter, theme, area, placement(area)}};
  const QRectF seen = frame.placement.seen();
  if (frame.empty() || scene_->resources() == 0) return;
  frame.column = frame.placement.plot.width() / scene_->resources();
  const auto first = static_cast<std::int64_t>(std::floor(seen.top()));
  const auto last = std::min(range_.count, static_cast<std::int64_t>(std::ceil(seen.bottom())));
  frame.seen = {range_.first + first, std::max<std::int64_t>(0, last - first)};
  frame.bottom = std::min(frame.placement.plot.bottom(), frame.y(static_cast<double>(range_.count)));
  frame.single = frame.placement.scale.height() >= smallest_row;

  paint_idle(frame);
  if (frame.single) {
    paint_cells(frame);
    paint_repetitions(frame);
  } else {
    paint_bands(frame);
  }
  paint_selection(frame);
  paint_sections(frame);
  paint_ruler(frame);
  paint_headings(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

QRectF SchedulePainter::cell_box(const Frame& frame, const artifact::PlacedCell& placed) const {
  const QRectF& plot = frame.placement.plot;
  const double top = frame.y(static_cast<double>(placed.begin - range_.first));
  const double height = static_cast<double>(placed.cell->length) * frame.placement.scale.height();
  const QRectF box = visible_box({plot.left() + placed.cell->resource * frame.column, top, frame.column, height});
  return QRectF(QPointF(box.left() + 1, std::max(box.top(), plot.top())),
                QPointF(box.right() - 1, std::max(plot.top() + 1, std::min(box.bottom(), plot.bottom()))));
}

void SchedulePainter::paint_idle(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  for (int resource = 0; resource < scene_->resources(); ++resource) {
    const double left = plot.left() + resource * frame.column;
    frame.painter.fillRect(QRectF(left + 1, plot.top(), frame.column - 2, frame.bottom - plot.top()),
                           idle_brush(frame.theme));
  }
}

void SchedulePainter::paint_cells(const Frame& frame) const {
  const double height = frame.placement.scale.height();
  const bool labels = height >= 11;
  const double size = std::clamp(height * 0.62, 8.0, 14.0);
  const QFont font = with_pixel_size(frame.theme.data_font(), size);
  const double gap = height >= 10 ? 0.5 : 0;
  frame.painter.setFont(font);
  for (const artifact::PlacedCell& placed : scene_->cells(frame.seen)) {
    const QRectF box = cell_box(frame, placed).adjusted(0, gap, 0, -gap);
    const QColor fill = frame.theme.colour(placed.cell->kind);
    frame.painter.fillRect(box, fill);
    if (!labels || box.height() < size) continue;
    frame.painter.setPen(frame.theme.text_on(fill));
    QRectF text = box.adjusted(5, 0, -4, 0);
    if (mode_ == ScheduleMode::steady_state && placed.cell->stage > 0) {
      const QString stage = QStringLiteral("+%1").arg(placed.cell->stage);
      const double width = size * 0.7 * static_cast<double>(stage.size());
      draw_text(frame.painter, text.adjusted(text.width() - width, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, stage);
      text.adjust(0, 0, -width - 3, 0);
    }
    draw_text(frame.painter, text, Qt::AlignLeft | Qt::AlignVCenter, to_text(placed.cell->label));
  }
}

void SchedulePainter::paint_bands(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  const double cycles_per_row = 1 / frame.placement.scale.height();
  const double first = static_cast<double>(range_.first) + frame.placement.origin.y();
  const int rows = static_cast<int>(std::ceil(frame.bottom - plot.top()));
  for (const ScheduleBand& band : scene_->bands(first, cycles_per_row, rows)) {
    const double top = plot.top() + band.row;
    if (top >= frame.bottom) continue;
    const double width = (frame.column - 2) * std::clamp(band.busy, 0.0, 1.0);
    const QColor fill = frame.theme.colour(scene_->usual_kind(band.resource));
    frame.painter.fillRect(QRectF(plot.left() + band.resource * frame.column + 1, top, std::max(2.0, width), 1), fill);
  }
}

void SchedulePainter::paint_repetitions(const Frame& frame) const {
  const auto& sections = scene_->timeline().sections();
  frame.painter.setPen(QPen(frame.theme.border, 1));
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const auto& section = sections[s];
    if (section.length <= 0 || static_cast<double>(section.length) * frame.placement.scale.height() < 12) continue;
    std::int64_t cycle = frame.seen.first;
    while ((cycle = first_occurrence(scene_->timeline(), static_cast<int>(s), 0, cycle,
                                     frame.seen.first + frame.seen.count)) >= 0) {
      const double y = frame.y(static_cast<double>(cycle - range_.first));
      if (y >= frame.placement.plot.top()) {
        frame.painter.drawLine(QPointF(frame.area.left(), y), QPointF(frame.placement.plot.right(), y));
      }
      ++cycle;
    }
  }
}

void SchedulePainter::paint_selection(const Frame& frame) const {
  const artifact::Ref& chosen = selection();
  const QRectF& plot = frame.placement.plot;
  const auto row = row_of_cycle(chosen.cycle);
  if (row && *row + range_.first >= frame.seen.first && *row + range_.first < frame.seen.first + frame.seen.count) {
    const double y = frame.y(static_cast<double>(*row));
    frame.painter.setPen(QPen(frame.theme.selection, 1, Qt::DashLine));
    const double bottom = y + std::max(1.0, frame.placement.scale.height());
    if (y >= plot.top()) frame.painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    if (bottom <= plot.bottom()) frame.painter.drawLine(QPointF(plot.left(), bottom), QPointF(plot.right(), bottom));
  }
  if (chosen.operation == 0 && linked_.empty()) return;
  // Below a pixel a row, single instances can't be told apart: the marked cycle says where.
  if (!frame.single) return;
  frame.painter.setBrush(Qt::NoBrush);
  for (const artifact::PlacedCell& placed : scene_->cells(frame.seen)) {
    const artifact::OperationKey own = placed.cell->operation;
    const bool is_chosen = own != 0 && (own == chosen.operation || linked_.contains(own));
    if (!is_chosen && !neighbours_.contains(placed.cell->operation)) continue;
    const bool instance = is_chosen && same_instance(placed, chosen);
    const QRectF box = cell_box(frame, placed).adjusted(0.5, 0.5, -0.5, -0.5);
    frame.painter.setPen(QPen(frame.theme.background, is_chosen ? 5 : 3));
    frame.painter.drawRect(box);
    frame.painter.setPen(QPen(is_chosen ? frame.theme.selection : frame.theme.text, instance ? 3 : 1.5,
                              is_chosen ? Qt::SolidLine : Qt::DashLine));
    frame.painter.drawRect(box);
  }
}

void SchedulePainter::paint_sections(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  const auto& timeline = scene_->timeline();
  frame.painter.fillRect(QRectF(frame.area.left(), plot.top(), section_width + ruler_width, plot.height()),
                         frame.theme.surface);
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  for (std::size_t s = 0; s < timeline.sections().size(); ++s) {
    const auto& section = timeline.sections()[s];
    const double begin = static_cast<double>(timeline.section_start(static_cast<int>(s)) - range_.first);
    const double length =
        static_cast<double>(mode_ == ScheduleMode::steady_state ? section.length : section.length * section.repeats);
    if (begin < 0 || begin >= static_cast<double>(range_.count) || length <= 0) continue;
    const double top = std::max(plot.top(), frame.y(begin));
    const double bottom = std::min(plot.bottom(), frame.y(begin + length));
    if (bottom <= plot.top() || top >= plot.bottom()) continue;
    const QRectF strip(frame.area.left(), top, section_width, std::max(1.0, bottom - top));
    frame.painter.fillRect(strip, s % 2 == 0 ? frame.theme.raised : frame.theme.grid);
    frame.painter.setPen(QPen(frame.theme.border, 1));
    frame.painter.drawLine(QPointF(frame.area.left(), top), QPointF(plot.right(), top));
    const QString name = section.repeats > 1
                             ? QStringLiteral("%1 × %2").arg(to_text(section.name), count_text(section.repeats))
                             : to_text(section.name);
    frame.painter.save();
    frame.painter.translate(strip.left(), strip.bottom());
    frame.painter.rotate(-90);
    frame.painter.setPen(frame.theme.text);
    draw_text(frame.painter, QRectF(4, 0, strip.height() - 8, section_width), Qt::AlignCenter, name);
    frame.painter.restore();
  }
}

void SchedulePainter::paint_ruler(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  const double height = frame.placement.scale.height();
  const double size = std::clamp(height * 0.62, 9.0, 12.0);
  const std::int64_t step = tick_step((size + 4) / height);
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), size));
  const double left = frame.area.left() + section_width;
  const std::int64_t first = (frame.seen.first - range_.first + step - 1) / step * step;
  for (std::int64_t row = first; row < frame.seen.first - range_.first + frame.seen.count; row += step) {
    const double top = frame.y(static_cast<double>(row)) + (height >= size ? 0 : -size / 2);
    const QRectF box(left, top, ruler_width - 8, std::max(height, size + 2));
    if (box.top() < plot.top() - 1 || box.bottom() > plot.bottom() + 1) continue;
    frame.painter.setPen(frame.theme.text);
    draw_text(frame.painter, box.adjusted(2, 0, -36, 0), Qt::AlignRight | Qt::AlignVCenter,
              count_text(mode_ == ScheduleMode::steady_state ? row : row + range_.first));
    if (!frame.single) continue;
    frame.painter.setPen(frame.theme.muted_text);
    draw_text(frame.painter, box.adjusted(ruler_width - 44, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
              QString::number(scene_->moment(range_.first + row).address));
  }
}

void SchedulePainter::paint_headings(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  frame.painter.fillRect(band, frame.theme.surface);
  draw_kind_legend(frame.painter, QRectF(plot.left() + 4, band.top() + 2, plot.width() - 8, 18), frame.theme,
                   scene_->kinds());
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  frame.painter.setPen(frame.theme.text);
  const double top = band.top() + 22, height = heading - 22;
  for (int resource = 0; resource < scene_->resources(); ++resource) {
    draw_text(frame.painter, QRectF(plot.left() + resource * frame.column + 6, top, frame.column - 8, height),
              Qt::AlignLeft | Qt::AlignVCenter,
              to_text(scene_->timeline().resources()[static_cast<std::size_t>(resource)]));
  }
  frame.painter.setPen(frame.theme.muted_text);
  const double left = band.left() + section_width;
  draw_text(frame.painter, QRectF(left, top, ruler_width - 44, height), Qt::AlignRight | Qt::AlignVCenter,
            QStringLiteral("cycle"));
  if (frame.single) {
    draw_text(frame.painter, QRectF(left + ruler_width - 42, top, 36, height), Qt::AlignRight | Qt::AlignVCenter,
              QStringLiteral("addr."));
  }
  frame.painter.setPen(QPen(frame.theme.border, 1));
  frame.painter.drawLine(QPointF(band.left(), band.bottom()), QPointF(band.right(), band.bottom()));
}

std::optional<SchedulePainter::Spot> SchedulePainter::spot(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  if (!placed.plot.contains(point) || scene_->resources() == 0) return std::nullopt;
  const double row = placed.content(point).y();
  if (row < 0 || row >= static_cast<double>(range_.count)) return std::nullopt;
  Spot spot;
  const double column = placed.plot.width() / scene_->resources();
  spot.resource = std::min(scene_->resources() - 1, static_cast<int>((point.x() - placed.plot.left()) / column));
  const auto first = static_cast<std::int64_t>(std::floor(row));
  const auto cycles = static_cast<std::int64_t>(std::floor(1 / placed.scale.height()));
  spot.range = {range_.first + first, std::clamp<std::int64_t>(cycles, 1, range_.count - first)};
  spot.placed = scene_->first_cell(spot.resource, spot.range);
  return spot;
}

std::optional<artifact::Ref> SchedulePainter::hit(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found) return std::nullopt;
  artifact::Ref ref = scene_->subject();
  ref.cycle = found->range.first;
  if (found->placed.cell) {
    ref.operation = found->placed.cell->operation;
    ref.iteration = found->placed.iteration;
    ref.cycle = found->placed.begin;
  }
  return ref;
}

QString SchedulePainter::reading(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found) return {};
  const QString resource = to_text(scene_->timeline().resources()[static_cast<std::size_t>(found->resource)]);
  const std::int64_t cycle = found->placed.cell ? found->placed.begin : found->range.first;
  const ScheduleMoment moment = scene_->moment(cycle);
  const auto& section = scene_->timeline().sections()[static_cast<std::size_t>(moment.section)];
  QString text = found->placed.cell
                     ? QStringLiteral("%1 · %2 · %3")
                           .arg(to_text(found->placed.cell->label), resource, kind_name(found->placed.cell->kind))
                     : QStringLiteral("%1 idle").arg(resource);
  text += QStringLiteral("\ncycle %1, address %2").arg(count_text(cycle)).arg(moment.address);
  if (found->placed.cell && found->placed.iteration >= 0) {
    text += QStringLiteral(", iteration %1").arg(count_text(found->placed.iteration));
  }
  text += QStringLiteral("\n%1").arg(to_text(section.name));
  if (section.repeats > 1) {
    text += QStringLiteral(", repetition %1 of %2").arg(count_text(moment.repetition + 1), count_text(section.repeats));
  }
  if (found->range.count > 1) {
    text += QStringLiteral("\n%1 cycles a pixel, busy in %2")
                .arg(count_text(found->range.count),
                     count_text(scene_->timeline().busy(found->resource, found->range.first,
                                                        found->range.first + found->range.count)));
  }
  if (!found->placed.cell && found->range.count == 1) {
    const QString reason = idle_reason(scene_->timeline(), scene_->operations(), found->resource, found->range.first);
    if (!reason.isEmpty()) text += QStringLiteral("\n") + reason;
  }
  if (found->placed.cell) {
    const QString dependences = scene_->operations().reading(found->placed.cell->operation);
    if (!dependences.isEmpty()) text += QStringLiteral("\n") + dependences;
  }
  return text;
}

std::unique_ptr<CanvasPainter> make_schedule_canvas(const Snapshot& snapshot, std::optional<ScheduleMode> mode) {
  const auto make = [&](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
    const auto timeline = shown.compiled->timeline(shown.number);
    if (!timeline || timeline->length() <= 0) return nullptr;
    auto scene = std::make_shared<const ScheduleScene>(timeline, shown.compiled->task_graph(shown.number),
                                                       shown.subject, shown.compiled->links(shown.number));
    return std::make_unique<SchedulePainter>(std::move(scene), mode.value_or(legible_mode(*timeline)),
                                             snapshot.selection);
  };
  return picture_of_program(snapshot, QStringLiteral("schedule"), make);
}

std::unique_ptr<ViewPainter> make_schedule_painter(const Snapshot& snapshot) {
  return make_schedule_canvas(snapshot, std::nullopt);
}

}  // namespace convscope::ui
