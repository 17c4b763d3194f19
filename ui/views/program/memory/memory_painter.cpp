#include "ui/views/program/memory/memory_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"
#include "ui/views/program/shown_program.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

constexpr double left_ruler = 64, bar_pitch = 24, time_ruler = 40, map_gap = 26, right_margin = 12;
constexpr double legend_height = 22;

QString usage(const artifact::Memory& memory) {
  return QStringLiteral("%1 of %2 words of %3 bits (%4 %)")
      .arg(count_text(memory.used), count_text(memory.capacity))
      .arg(memory.word_bits)
      .arg(memory.capacity > 0 ? 100.0 * static_cast<double>(memory.used) / static_cast<double>(memory.capacity) : 0.0,
           0, 'f', 1);
}

/// Words that a map is tall: what is used and some headroom; the bars show the whole capacity.
double height_in_words(const artifact::Memory& memory) {
  const std::int64_t wanted = std::max<std::int64_t>(16, memory.used + memory.used / 4);
  return static_cast<double>(std::max({std::int64_t{1}, memory.used, std::min(wanted, memory.capacity)}));
}

QRectF inside(const QRectF& box, const QRectF& frame) {
  const QRectF cut = box.intersected(frame);
  return cut.isEmpty() ? QRectF() : cut;
}

}  // namespace

struct MemoryPainter::Frame : CanvasFrame {};

double MemoryPainter::bars_height() const {
  return 12 + bar_pitch * static_cast<double>(scene_->memories().size()) + legend_height;
}

CanvasGeometry MemoryPainter::geometry(const QRectF& area) const {
  const QRectF plot = area.adjusted(left_ruler, bars_height(), -right_margin, -time_ruler);
  const double cycles = static_cast<double>(scene_->cycles());
  const double unit = std::max(1.0, plot.width()) / cycles;
  return {plot, QSizeF(cycles, std::max(1.0, plot.height())), QSizeF(unit, 1), true, false, std::max(1.0, 40 / unit)};
}

QSizeF MemoryPainter::preferred_size() const {
  return {1100,
          bars_height() + time_ruler + 420.0 * static_cast<double>(std::max<std::size_t>(1, scene_->mapped().size()))};
}

QRectF MemoryPainter::map_box(std::size_t index, const QRectF& plot) const {
  const double each = plot.height() / static_cast<double>(scene_->mapped().size());
  return {plot.left(), plot.top() + static_cast<double>(index) * each + map_gap, plot.width(),
          std::max(1.0, each - map_gap)};
}

QRectF MemoryPainter::block_box(int memory, const artifact::MemoryBlock& block, const QRectF& area) const {
  const Placement placed = placement(area);
  const auto& mapped = scene_->mapped();
  const auto index = static_cast<std::size_t>(std::find(mapped.begin(), mapped.end(), memory) - mapped.begin());
  const QRectF map = map_box(index, placed.plot);
  const double word = map.height() / height_in_words(scene_->memories()[static_cast<std::size_t>(memory)]);
  const double from = placed.pixel(QPointF(static_cast<double>(block.live_from), 0)).x();
  const double to = placed.pixel(QPointF(static_cast<double>(block.live_to), 0)).x();
  return visible_box({from, map.top() + static_cast<double>(block.first_word) * word, to - from,
                      static_cast<double>(block.words) * word});
}

void MemoryPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  Frame frame{{painter, theme, area, placement(area)}};
  paint_bars(frame);
  paint_legend(frame);
  if (frame.placement.plot.width() < 1 || frame.placement.plot.height() < map_gap || scene_->mapped().empty()) return;
  for (std::size_t i = 0; i < scene_->mapped().size(); ++i) paint_map(frame, i);
  paint_time(frame);
  if (stale()) paint_stale_mark(painter, area, theme);
}

std::optional<QRectF> MemoryPainter::place_of(const artifact::Ref& ref) const {
  if (ref.cycle >= 0 && ref.cycle < scene_->cycles()) return QRectF(static_cast<double>(ref.cycle), 0, 1, 1);
  if (ref.word < 0 && scene_->words_of(ref.operation).empty()) return std::nullopt;
  return QRectF(viewport().origin, QSizeF(0, 0));
}

void MemoryPainter::paint_legend(const Frame& frame) const {
  std::vector<LegendEntry> entries;
  for (const artifact::OperationClass kind : scene_->kinds()) {
    // Program memories hold what a phase of the run executes; `other` there is the way into the loop.
    entries.push_back({frame.theme.colour(kind), kind_name(kind)});
  }
  entries.push_back({idle_brush(frame.theme), QStringLiteral("free, or not used any more")});
  entries.push_back({QBrush(), QStringLiteral("selected words and cycle"), frame.theme.selection});
  draw_legend(frame.painter,
              QRectF(frame.area.left() + 8, frame.area.top() + bars_height() - legend_height - 2,
                     frame.area.width() - 16, legend_height),
              frame.theme, entries);
}

void MemoryPainter::paint_bars(const Frame& frame) const {
  QPainter& painter = frame.painter;
  const QRectF band(frame.area.left(), frame.area.top(), frame.area.width(), bars_height());
  painter.fillRect(band, frame.theme.surface);
  double top = band.top() + 6;
  for (const artifact::Memory& memory : scene_->memories()) {
    painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
    painter.setPen(frame.theme.text);
    draw_text(painter, QRectF(band.left() + 8, top, 140, bar_pitch), Qt::AlignLeft | Qt::AlignVCenter,
              to_text(memory.name));
    const QRectF bar(band.left() + 156, top + 6, std::max(40.0, band.width() - 156 - 260), bar_pitch - 12);
    painter.fillRect(bar, frame.theme.grid);
    const double share =
        memory.capacity > 0 ? static_cast<double>(memory.used) / static_cast<double>(memory.capacity) : 0;
    painter.fillRect(QRectF(bar.topLeft(), QSizeF(bar.width() * std::clamp(share, 0.0, 1.0), bar.height())),
                     share > 1 ? frame.theme.error : frame.theme.series[0]);
    painter.setPen(QPen(frame.theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
    painter.setPen(frame.theme.text);
    draw_text(painter, QRectF(bar.right() + 8, top, band.right() - bar.right() - 12, bar_pitch),
              Qt::AlignLeft | Qt::AlignVCenter, usage(memory));
    top += bar_pitch;
  }
}

void MemoryPainter::paint_map(const Frame& frame, std::size_t index) const {
  const int memory_index = scene_->mapped()[index];
  const artifact::Memory& memory = scene_->memories()[static_cast<std::size_t>(memory_index)];
  const QRectF map = map_box(index, frame.placement.plot);
  frame.painter.fillRect(map, frame.theme.background);
  frame.painter.fillRect(map, idle_brush(frame.theme));
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  frame.painter.setPen(frame.theme.text);
  draw_text(frame.painter, QRectF(map.left(), map.top() - map_gap + 4, map.width(), map_gap - 4),
            Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("%1: words over time, the first %2 of %3")
                .arg(to_text(memory.name), count_text(static_cast<std::int64_t>(height_in_words(memory))),
                     count_text(memory.capacity)));
  for (const artifact::MemoryBlock& block : memory.blocks) {
    const QRectF box = inside(block_box(memory_index, block, frame.area), map);
    if (!box.isNull()) paint_block(frame, block, box);
  }
  paint_words(frame, memory_index, map);
  paint_marked_words(frame, memory_index, map);
  frame.painter.setBrush(Qt::NoBrush);
  frame.painter.setPen(QPen(frame.theme.border, 1));
  frame.painter.drawRect(map);
}

void MemoryPainter::paint_block(const Frame& frame, const artifact::MemoryBlock& block, const QRectF& box) const {
  const QColor fill = frame.theme.colour(block.kind);
  frame.painter.fillRect(box, fill);
  if (box.width() > 4 && box.height() > 4) {
    frame.painter.setPen(QPen(frame.theme.background, 1));
    frame.painter.setBrush(Qt::NoBrush);
    frame.painter.drawRect(box);
  }
  if (box.height() < 11 || box.width() < 30) return;
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 10));
  frame.painter.setPen(frame.theme.text_on(fill));
  draw_text(frame.painter, box.adjusted(4, 0, -3, 0), Qt::AlignLeft | Qt::AlignVCenter, to_text(block.name));
}

void MemoryPainter::paint_words(const Frame& frame, int memory, const QRectF& map) const {
  const double height = height_in_words(scene_->memories()[static_cast<std::size_t>(memory)]);
  const double word = map.height() / height;
  const std::int64_t step = tick_step(22 / word);
  frame.painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
  frame.painter.setPen(frame.theme.muted_text);
  for (std::int64_t at = 0; static_cast<double>(at) < height; at += step) {
    const double y = map.top() + static_cast<double>(at) * word;
    frame.painter.drawLine(QPointF(map.left() - 4, y), QPointF(map.left(), y));
    draw_text(frame.painter, QRectF(map.left() - left_ruler, y - 8, left_ruler - 8, 16),
              Qt::AlignRight | Qt::AlignVCenter, count_text(at));
  }
}

void MemoryPainter::paint_marked_words(const Frame& frame, int memory, const QRectF& map) const {
  const double word = map.height() / height_in_words(scene_->memories()[static_cast<std::size_t>(memory)]);
  const artifact::MemoryWord chosen{selection().memory, selection().word};
  std::vector<artifact::MemoryWord> marked = scene_->words_of(selection().operation);
  if (chosen.word >= 0) marked.push_back(chosen);
  for (const artifact::MemoryWord& at : marked) {
    if (at.memory != memory) continue;
    const QRectF box(map.left(), map.top() + static_cast<double>(at.word) * word, map.width(), std::max(1.0, word));
    frame.painter.setBrush(Qt::NoBrush);
    frame.painter.setPen(QPen(frame.theme.selection, at == chosen ? 2 : 1));
    if (map.contains(box.center())) frame.painter.drawRect(box);
  }
}

void MemoryPainter::paint_time(const Frame& frame) const {
  const QRectF& plot = frame.placement.plot;
  QPainter& painter = frame.painter;
  const std::int64_t step = tick_step(90 / frame.placement.scale.width());
  const QRectF seen = frame.placement.seen();
  painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
  painter.setPen(frame.theme.muted_text);
  for (std::int64_t at = static_cast<std::int64_t>(seen.left()) / step * step; static_cast<double>(at) <= seen.right();
       at += step) {
    const double x = frame.placement.pixel(QPointF(static_cast<double>(at), 0)).x();
    if (x < plot.left() - 1) continue;
    painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
    draw_text(painter, QRectF(x - 40, plot.bottom() + 4, 80, 15), Qt::AlignCenter, count_text(at));
  }
  painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  painter.setPen(frame.theme.text);
  draw_text(painter, QRectF(plot.left(), plot.bottom() + 19, plot.width(), 18), Qt::AlignCenter,
            QStringLiteral("time (cycles)"));
  if (selection().cycle < 0) return;
  const double x = frame.placement.pixel(QPointF(static_cast<double>(selection().cycle), 0)).x();
  if (x < plot.left() || x > plot.right()) return;
  painter.setPen(QPen(frame.theme.selection, 1.5, Qt::DashLine));
  painter.drawLine(QPointF(x, plot.top() + map_gap), QPointF(x, plot.bottom()));
}

std::optional<MemoryPainter::Spot> MemoryPainter::spot(QPointF point, const QRectF& area) const {
  const Placement placed = placement(area);
  for (std::size_t i = 0; i < scene_->mapped().size(); ++i) {
    const QRectF map = map_box(i, placed.plot);
    if (!map.contains(point)) continue;
    const int memory = scene_->mapped()[i];
    const double words = height_in_words(scene_->memories()[static_cast<std::size_t>(memory)]);
    const double word = std::min(words - 1, (point.y() - map.top()) / map.height() * words);
    return Spot{memory, static_cast<std::int64_t>(std::floor(word)),
                std::min(scene_->cycles() - 1, static_cast<std::int64_t>(std::floor(placed.content(point).x())))};
  }
  return std::nullopt;
}

std::optional<artifact::Ref> MemoryPainter::hit(QPointF point, const QRectF& area) const {
  const auto found = spot(point, area);
  if (!found) return std::nullopt;
  artifact::Ref ref = scene_->subject();
  if (scene_->is_data_memory(found->memory)) {
    ref.memory = found->memory;
    ref.word = found->word;
  }
  ref.cycle = found->cycle;
  return ref;
}

int MemoryPainter::bar_at(QPointF point, const QRectF& area) const {
  const double row = std::floor((point.y() - area.top() - 6) / bar_pitch);
  return area.contains(point) && row >= 0 && row < static_cast<double>(scene_->memories().size())
             ? static_cast<int>(row)
             : -1;
}

QString MemoryPainter::reading(QPointF point, const QRectF& area) const {
  if (const int bar = bar_at(point, area); bar >= 0) {
    const artifact::Memory& memory = scene_->memories()[static_cast<std::size_t>(bar)];
    return QStringLiteral("%1\n%2").arg(to_text(memory.name), usage(memory));
  }
  const auto found = spot(point, area);
  if (!found) return {};
  const artifact::Memory& memory = scene_->memories()[static_cast<std::size_t>(found->memory)];
  QString text = QStringLiteral("%1, word %2, cycle %3")
                     .arg(to_text(memory.name), count_text(found->word), count_text(found->cycle));
  const artifact::MemoryBlock* block = scene_->block(found->memory, found->word, found->cycle);
  const QString users = scene_->users_of({found->memory, found->word});
  if (!users.isEmpty()) text += QStringLiteral("\n") + users;
  if (!block) return text + QStringLiteral("\nholds nothing that is still used");
  return text + QStringLiteral("\n%1 · %2\nwords %3 to %4, live in cycles %5 to %6")
                    .arg(to_text(block->name), kind_name(block->kind), count_text(block->first_word),
                         count_text(block->first_word + std::max<std::int64_t>(1, block->words) - 1),
                         count_text(block->live_from), count_text(std::max(block->live_from, block->live_to - 1)));
}

std::unique_ptr<CanvasPainter> make_memory_canvas(const Snapshot& snapshot) {
  const auto make = [](const ShownProgram& shown) -> std::unique_ptr<CanvasPainter> {
    const auto map = shown.compiled->memory_map(shown.number);
    if (!map || map->memories.empty()) return nullptr;
    const auto timeline = shown.compiled->timeline(shown.number);
    return std::make_unique<MemoryPainter>(std::make_shared<const MemoryScene>(
        map, shown.compiled->links(shown.number), shown.subject, shown.compiled->task_graph(shown.number),
        timeline ? timeline->length() : 0));
  };
  return picture_of_program(snapshot, QStringLiteral("memory map"), make);
}

std::unique_ptr<ViewPainter> make_memory_painter(const Snapshot& snapshot) {
  return make_memory_canvas(snapshot);
}

}  // namespace convscope::ui
