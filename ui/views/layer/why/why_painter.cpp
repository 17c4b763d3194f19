#include "ui/views/layer/why/why_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using analysis::WhyLine;
using Kind = WhyLine::Kind;

constexpr double margin = 14, name_width = 176, bar_width = 110, gap = 14, line_height = 17, row_gap = 5;
constexpr double heading_gap = 12, least_width = 560, most_width = 1240, font_pixels = 12;
// A letter of the data font at that size, and a wide one of the label font: pictures on other threads measure nothing.
constexpr double data_letter = 7.3, label_letter = 6.7, bold_letter = 8;

bool is_slot(Kind kind) {
  return kind == Kind::taken || kind == Kind::empty;
}

QString heading_of(const WhyLine& line) {
  switch (line.kind) {
    case Kind::summary:
      return {};
    case Kind::helps:
      return QStringLiteral("What helps most, compiled again");
    case Kind::rejected:
      return QStringLiteral("What was not taken instead");
    case Kind::operation:
      return QStringLiteral("The selected operation");
    case Kind::taken:
    case Kind::empty:
      return QStringLiteral("Cycle %1, slot by slot").arg(count_text(line.cycle));
    default:
      return QStringLiteral("Bounds, the largest first");
  }
}

QString name_of(const WhyLine& line) {
  return line.kind == Kind::next ? QStringLiteral("without ") + to_text(line.name) : to_text(line.name);
}

/// Lines of at most so many letters; words are kept whole where they can be, and what follows is set in.
QStringList wrapped(const QString& text, int letters) {
  QStringList lines;
  for (QString rest : text.split('\n')) {
    while (rest.size() > letters) {
      qsizetype at = rest.lastIndexOf(' ', letters);
      if (at <= 2) at = letters;
      lines << rest.left(at);
      rest = QStringLiteral("  ") + rest.mid(at).trimmed();
    }
    lines << rest;
  }
  return lines;
}

int letters_in(double width, double letter) {
  return std::max(12, static_cast<int>(width / letter));
}

}  // namespace

WhyPainter::WhyPainter(WhyScene scene) : scene_(std::move(scene)) {
  QString before;
  for (std::size_t i = 0; i < scene_.lines.size(); ++i) {
    const QString heading = heading_of(scene_.lines[i]);
    if (heading != before) rows_.push_back({-1, heading, false});
    before = heading;
    rows_.push_back({static_cast<int>(i), {}, false});
    longest_ = std::max(longest_, scene_.lines[i].cycles);
  }
  if (!scene_.hint.isEmpty()) rows_.push_back({-1, scene_.hint, true});
}

/// As wide as the area; of a picture that is to be seen whole, the width at which it is seen largest.
double WhyPainter::width_in(const QRectF& area) const {
  const double own = std::clamp(area.width(), least_width, most_width);
  if (!viewport().fit || area.isEmpty()) return own;
  double best = own, largest = 0;
  const int steps = static_cast<int>((most_width - own) / 80);
  for (int step = 0; step <= steps; ++step) {
    const double width = own + 80 * step;
    const double seen = std::min({1.0, area.width() / width, area.height() / height_of(layout(width))});
    if (seen > largest) best = width, largest = seen;
  }
  return best;
}

double WhyPainter::height_of(const std::vector<Box>& boxes) {
  return margin + (boxes.empty() ? margin : boxes.back().place.bottom());
}

std::vector<WhyPainter::Box> WhyPainter::layout(double width) const {
  std::vector<Box> boxes;
  double top = margin;
  for (const Row& row : rows_) {
    if (row.line < 0) top += heading_gap;
    Box box = laid_out(row, width);
    box.place.moveTop(top);
    top = box.place.bottom() + row_gap;
    boxes.push_back(std::move(box));
  }
  return boxes;
}

WhyPainter::Box WhyPainter::laid_out(const Row& row, double width) const {
  Box box;
  const double all = width - 2 * margin, words = all - name_width - bar_width - gap;
  if (row.line < 0) {
    box.name = wrapped(row.heading, letters_in(all, label_letter));
  } else {
    const WhyLine& line = scene_.lines[static_cast<std::size_t>(row.line)];
    const bool bold = line.kind == Kind::summary || line.kind == Kind::binding;
    box.name = wrapped(name_of(line), letters_in(name_width, bold ? bold_letter : label_letter));
    QStringList text;
    for (const std::string& each : line.words) text << to_text(each);
    const double room = line.kind == Kind::summary ? all - name_width : words;
    box.words = wrapped(text.join('\n'), letters_in(room, data_letter));
  }
  const auto lines = static_cast<double>(std::max(box.name.size(), box.words.size()));
  box.place = {margin, 0, all, line_height * lines};
  return box;
}

CanvasGeometry WhyPainter::geometry(const QRectF& area) const {
  const double width = width_in(area);
  return {area, QSizeF(width, height_of(layout(width))), QSizeF(1, 1), true, true, 3};
}

bool WhyPainter::covers(const artifact::Ref& selection, int program) const {
  return CanvasPainter::covers(selection, program) && selection.operation == scene_.selection.operation &&
         selection.cycle == scene_.selection.cycle;
}

QSizeF WhyPainter::preferred_size() const {
  return QSizeF(1000, height_of(layout(1000.0)));
}

void WhyPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  const CanvasFrame frame{painter, theme, area, placement(area)};
  if (frame.empty()) return;
  painter.save();
  painter.setClipRect(frame.placement.plot);
  const std::vector<Box> boxes = layout(width_in(area));
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (frame.placement.pixel(boxes[i].place).intersects(area)) paint_row(frame, rows_[i], boxes[i]);
  painter.restore();
  if (stale()) paint_stale_mark(painter, area, theme);
}

void WhyPainter::paint_row(const CanvasFrame& frame, const Row& row, const Box& box) const {
  const WhyLine* line = row.line < 0 ? nullptr : &scene_.lines[static_cast<std::size_t>(row.line)];
  if (line != nullptr) paint_mark(frame, *line, box);
  if (line != nullptr) paint_bar(frame, *line, box);
  const double pixels = std::floor(font_pixels * frame.zoom + 0.01);
  if (pixels < 5) return;
  const auto write = [&](const QStringList& lines, double left, double right) {
    for (qsizetype i = 0; i < lines.size(); ++i) {
      const QRectF at(left, box.place.top() + static_cast<double>(i) * line_height, right - left, line_height);
      draw_text(frame.painter, frame.placement.pixel(at), Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
    }
  };
  QFont font = with_pixel_size(frame.theme.label_font(), pixels);
  const bool summary = line != nullptr && line->kind == Kind::summary;
  font.setBold((line == nullptr && !row.hint) || summary || (line != nullptr && line->kind == Kind::binding));
  frame.painter.setFont(font);
  frame.painter.setPen(row.hint ? frame.theme.muted_text : frame.theme.text);
  const double left = box.place.left(), right = box.place.right();
  write(box.name, left, line == nullptr ? right : left + name_width - 8);
  if (line == nullptr) return;
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), pixels));
  if (line->kind == Kind::empty || line->kind == Kind::rejected) frame.painter.setPen(frame.theme.muted_text);
  write(box.words, left + name_width + (summary ? 0 : bar_width + gap), right + margin);
}

/// Of a bound: how long, beside what the layer takes. Of a slot: what stands in it.
void WhyPainter::paint_bar(const CanvasFrame& frame, const WhyLine& line, const Box& box) const {
  const bool slot = is_slot(line.kind);
  if (!slot && (line.cycles < 0 || longest_ <= 0)) return;
  const double length = slot ? 26 : std::max(1.0, bar_width * line.cycles / longest_);
  const QRectF bar = visible_box(
      frame.placement.pixel(QRectF(box.place.left() + name_width, box.place.top() + 3, length, line_height - 6)));
  const Theme& theme = frame.theme;
  frame.painter.setPen(QPen(theme.border, 1));
  frame.painter.setBrush(slot ? (line.kind == Kind::empty ? idle_brush(theme) : QBrush(theme.colour(line.looks)))
                         : line.kind == Kind::takes   ? QBrush(theme.baseline)
                         : line.kind == Kind::binding ? QBrush(theme.warning)
                                                      : QBrush(theme.series[0]));
  frame.painter.drawRect(bar);
  if (line.kind != Kind::binding) return;
  frame.painter.setBrush(QBrush(theme.background, Qt::BDiagPattern));  // told apart without colour, too
  frame.painter.drawRect(bar);
}

/// Around the selected operation's slot.
void WhyPainter::paint_mark(const CanvasFrame& frame, const WhyLine& line, const Box& box) const {
  if (!is_slot(line.kind) || line.operation == 0 || line.operation != scene_.selection.operation) return;
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setPen(QPen(frame.theme.selection, 2));
  frame.painter.drawRect(frame.placement.pixel(box.place.adjusted(-6, -2, 6, 2)));
}

int WhyPainter::row_at(QPointF point, const QRectF& area) const {
  if (!area.contains(point)) return -1;
  const QPointF at = placement(area).content(point);
  const std::vector<Box> boxes = layout(width_in(area));
  const auto found = std::find_if(boxes.begin(), boxes.end(), [&](const Box& box) { return box.place.contains(at); });
  return found == boxes.end() ? -1 : static_cast<int>(found - boxes.begin());
}

artifact::Ref WhyPainter::ref_of(const WhyLine& line) const {
  artifact::Ref ref = scene_.subject;
  ref.operation = line.operation;
  ref.cycle = line.cycle;
  return ref;
}

std::optional<artifact::Ref> WhyPainter::hit(QPointF point, const QRectF& area) const {
  const int row = row_at(point, area);
  const int index = row < 0 ? -1 : rows_[static_cast<std::size_t>(row)].line;
  if (index < 0) return std::nullopt;
  const WhyLine& line = scene_.lines[static_cast<std::size_t>(index)];
  if (line.operation == 0) return std::nullopt;
  return ref_of(line);
}

QString WhyPainter::reading(QPointF point, const QRectF& area) const {
  const int row = row_at(point, area);
  const int index = row < 0 ? -1 : rows_[static_cast<std::size_t>(row)].line;
  if (index < 0) return {};
  const WhyLine& line = scene_.lines[static_cast<std::size_t>(index)];
  QStringList text{name_of(line)};
  for (const std::string& each : line.words) text << to_text(each);
  return text.join('\n');
}

std::optional<artifact::Ref> WhyPainter::next_operation(int by) const {
  std::vector<const WhyLine*> taken;
  for (const WhyLine& line : scene_.lines)
    if (line.kind == Kind::taken && line.operation != 0) taken.push_back(&line);
  if (taken.empty()) return std::nullopt;
  const auto count = static_cast<std::ptrdiff_t>(taken.size());
  const auto now = std::find_if(taken.begin(), taken.end(),
                                [&](const WhyLine* line) { return line->operation == scene_.selection.operation; });
  const std::ptrdiff_t at = now == taken.end() ? (by > 0 ? 0 : count - 1) : (now - taken.begin() + by + count) % count;
  return ref_of(*taken[static_cast<std::size_t>(at)]);
}

std::unique_ptr<CanvasPainter> make_why_canvas(const Snapshot& snapshot, WhyShelf& shelf) {
  WhyScene scene = make_why_scene(snapshot, shelf);
  if (scene.lines.empty())
    return std::make_unique<MessagePainter>(missing_message(snapshot, QStringLiteral("explanation")));
  auto painter = std::make_unique<WhyPainter>(std::move(scene));
  painter->select(snapshot.selection);
  painter->set_stale(is_from_run_before(snapshot));
  return painter;
}

std::unique_ptr<ViewPainter> make_why_painter(const Snapshot& snapshot) {
  WhyShelf shelf;
  return make_why_canvas(snapshot, shelf);
}

}  // namespace convscope::ui
