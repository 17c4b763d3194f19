#include "ui/views/layer/tiling/tiling_facts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/model/shown_run.h"
#include "ui/parts/drawing.h"
#include "ui/words/figures.h"

namespace convscope::ui {
namespace {

using artifact::TileTensor;

void paint_heading(const TilingFrame& frame, const QRectF& box, const QString& text) {
  frame.painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
  frame.painter.setPen(frame.theme.text);
  draw_text(frame.painter, QRectF(box.left(), box.top(), box.width(), 18), Qt::AlignLeft | Qt::AlignVCenter, text);
  frame.painter.setPen(QPen(frame.theme.grid, 1));
  frame.painter.drawLine(QPointF(box.left(), box.top() + 19.5), QPointF(box.right(), box.top() + 19.5));
}

void paint_bar(const TilingFrame& frame, const QRectF& bar, double share, const QColor& fill) {
  frame.painter.fillRect(bar, frame.theme.grid);
  frame.painter.fillRect(QRectF(bar.topLeft(), QSizeF(bar.width() * std::clamp(share, 0.0, 1.0), bar.height())), fill);
}

QColor tensor_colour(const Theme& theme, TileTensor tensor) {
  if (tensor == TileTensor::input) return theme.pixels;
  return tensor == TileTensor::weights ? theme.coefficients : theme.write;
}

/// A cell of a table: text right- or left-aligned in a part of a row.
void cell(const TilingFrame& frame, const QRectF& row, double from, double to, const QString& text, bool right) {
  const QRectF box(row.left() + from, row.top(), to - from - 8, row.height());
  draw_text(frame.painter, box, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text);
}

struct WhyLine {
  QString text;
  bool muted = false;
  double height = 0;
};

QFont why_font() {
  return with_pixel_size(light_theme().label_font(), 12);
}

std::vector<WhyLine> why_lines(const TilingScene& scene, double width) {
  std::vector<WhyLine> lines;
  const QFontMetricsF metrics(why_font());
  const auto add = [&](const QString& text, bool muted) {
    if (text.isEmpty()) return;
    const double height = metrics.boundingRect(QRectF(0, 0, width, 10000), Qt::TextWordWrap, text).height();
    lines.push_back({text, muted, height + 3});
  };
  add(to_text(scene.content().shown.explanation), false);
  const auto explanation = scene.content().explanation;
  if (!explanation) return lines;
  add(to_text(explanation->summary), false);
  for (const artifact::ExplainedBound& bound : explanation->bounds) {
    add(QStringLiteral("%1: at least %2. %3")
            .arg(to_text(bound.bound.kind), to_text(format_quantity(bound.seconds)), to_text(bound.text)),
        true);
  }
  return lines;
}

}  // namespace

QString memory_text(const artifact::TileMemory& memory) {
  const double share =
      memory.capacity > 0 ? 100.0 * static_cast<double>(memory.used) / static_cast<double>(memory.capacity) : 0;
  const QString usage = QStringLiteral("%1 of %2 B").arg(count_text(memory.used), count_text(memory.capacity));
  if (memory.used > memory.capacity) {
    return usage + QStringLiteral(": %1 too many").arg(count_text(memory.used - memory.capacity));
  }
  return usage + QStringLiteral(" (%1 %)").arg(share, 0, 'f', 1);
}

std::int64_t bytes_moved(const artifact::Metrics& metrics) {
  return metrics.bytes_in + metrics.bytes_out + metrics.bytes_weights;
}

QString time_text(const artifact::Metrics& metrics) {
  return to_text(format_quantity(metrics.seconds));
}

std::vector<artifact::FigureDescription> tiling_figures(const Snapshot& snapshot) {
  std::vector<artifact::FigureDescription> figures;
  const auto run = shown_network(snapshot);
  if (!run) return figures;
  for (const artifact::FigureDescription& each : run->target->figures()) {
    if (each.shows(artifact::ArtifactKind::tiling) && !each.detail) figures.push_back(each);
  }
  return figures;
}

QString figure_text(const artifact::Metrics& metrics, const artifact::FigureDescription& figure) {
  const Quantity* value = metrics.find(figure.key);
  return value ? count_text(std::llround(value->value)) : QStringLiteral("–");
}

QString sizes_text(const std::vector<target::TileSize>& sizes) {
  QStringList values;
  for (const target::TileSize& size : sizes) values << QString::number(size.value);
  return values.join(QStringLiteral(" × "));
}

double loops_height(const TilingScene& scene) {
  return fact_heading + fact_row * static_cast<double>(scene.plan().loops().size()) + 10;
}

double memories_height(const TilingScene& scene) {
  return fact_heading + memory_row * static_cast<double>(scene.plan().memories().size()) + 6;
}

double transfers_height() {
  constexpr int least_lines = 8;
  return fact_heading + fact_row * least_lines;
}

double why_height(const TilingScene& scene, double width) {
  double height = 0;
  for (const WhyLine& line : why_lines(scene, width)) height += line.height;
  return height > 0 ? height + fact_heading + 8 : 0;
}

double comparison_height(const TilingScene& scene) {
  const std::size_t rows = scene.content().compared.size();
  return rows == 0 ? 0 : fact_heading + fact_row * static_cast<double>(rows + 1) + 8;
}

void paint_loops(const TilingFrame& frame, const QRectF& box) {
  paint_heading(frame, box, QStringLiteral("Loop nest"));
  QPainter& painter = frame.painter;
  double top = box.top() + fact_heading;
  for (std::size_t l = 0; l < frame.scene.plan().loops().size(); ++l, top += fact_row) {
    const artifact::TileLoop& loop = frame.scene.plan().loops()[l];
    const double indent = 12.0 * static_cast<double>(l);
    const std::int64_t at = frame.step.index[l];
    painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
    painter.setPen(frame.theme.text);
    const QRectF row(box.left(), top, box.width(), fact_row);
    const double figures = std::max(0.0, box.width() - 150);
    cell(frame, row, indent, figures,
         QStringLiteral("for %1 of %2 by %3").arg(to_text(loop.name), count_text(loop.extent), count_text(loop.tile)),
         false);
    cell(frame, row, figures, figures + 92, QStringLiteral("%1 / %2").arg(count_text(at + 1), count_text(loop.trips)),
         true);
    const QRectF bar(row.left() + figures + 92, top + 6, std::max(0.0, box.width() - figures - 96), 6);
    paint_bar(frame, bar, static_cast<double>(at + 1) / static_cast<double>(loop.trips), frame.theme.selection);
  }
}

void paint_memories(const TilingFrame& frame, const QRectF& box) {
  paint_heading(frame, box, QStringLiteral("Resident in each ") + to_text(frame.scene.plan().names().worker));
  QPainter& painter = frame.painter;
  double top = box.top() + fact_heading;
  for (const artifact::TileMemory& memory : frame.scene.plan().memories()) {
    const bool over = memory.used > memory.capacity;
    const QRectF row(box.left(), top, box.width(), 16);
    painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
    const QString usage = memory_text(memory);
    const double needed = QFontMetricsF(painter.font()).horizontalAdvance(usage) + 12;
    painter.setPen(over ? frame.theme.error : frame.theme.muted_text);
    cell(frame, row, 0, box.width() + 8, usage, true);
    painter.setFont(with_pixel_size(frame.theme.label_font(), 12));
    painter.setPen(frame.theme.text);
    const QString kept = memory.kept.empty() ? QString() : QStringLiteral(", kept ") + to_text(memory.kept);
    const QString holds = QLatin1String(artifact::tile_tensor_name(memory.tensor)) + kept;
    cell(frame, row, 0, box.width() - needed + 8, QStringLiteral("%1: %2").arg(to_text(memory.name), holds), false);
    const double share =
        memory.capacity > 0 ? static_cast<double>(memory.used) / static_cast<double>(memory.capacity) : 0;
    const QRectF bar(box.left(), top + 19, box.width(), 8);
    paint_bar(frame, bar, share, over ? frame.theme.error : tensor_colour(frame.theme, memory.tensor));
    painter.setPen(QPen(frame.theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    top += memory_row;
  }
}

void paint_transfers(const TilingFrame& frame, const QRectF& box) {
  const double rows = std::floor((box.height() - fact_heading) / fact_row) - 2;
  const std::vector<TransferLine> lines = transfer_lines(frame.step, static_cast<std::size_t>(std::max(1.0, rows)));
  TransferLine total;
  for (const TransferLine& line : lines) {
    total.commands += line.commands;
    total.bytes += line.bytes;
    total.bursts += line.bursts;
  }
  paint_heading(frame, box, QStringLiteral("Transfers of this step"));
  QPainter& painter = frame.painter;
  const double w = box.width();
  const double ends[] = {w * 0.33, w * 0.49, w * 0.70, w * 0.80, w * 0.91, w + 8};
  QRectF row(box.left(), box.top() + fact_heading - 2, w, fact_row);
  const auto print = [&](const QStringList& texts) {
    double from = 0;
    for (qsizetype i = 0; i < texts.size(); ++i) {
      cell(frame, row, from, ends[i], texts[i], i > 1);
      from = ends[i];
    }
    row.translate(0, fact_row);
  };
  const bool bursts = frame.scene.plan().burst_bytes() > 0;
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  painter.setPen(frame.theme.muted_text);
  print({QStringLiteral("move"), QStringLiteral("for"), QStringLiteral("first box"), QStringLiteral("commands"),
         QStringLiteral("bytes"), bursts ? QStringLiteral("bursts") : QString()});
  painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
  painter.setPen(frame.theme.text);
  for (const TransferLine& line : lines) {
    QString who = line.group < 0 ? QStringLiteral("all ") + plural(frame.scene.plan().names().group)
                                 : group_text(frame.scene.plan(), {line.group});
    if (line.multicast) who += QStringLiteral(" *");
    print({QStringLiteral("%1 %2").arg(QLatin1String(move_name(line.move)),
                                       QLatin1String(artifact::tile_tensor_name(line.tensor))),
           who, size_text(line.box), count_text(line.commands), count_text(line.bytes),
           bursts ? count_text(line.bursts) : QString()});
  }
  if (lines.empty()) return print({QStringLiteral("none: everything is there"), {}, {}, {}, {}, {}});
  painter.setPen(frame.theme.muted_text);
  const bool multicast =
      std::any_of(lines.begin(), lines.end(), [](const TransferLine& line) { return line.multicast; });
  print({QStringLiteral("all"),
         multicast ? QStringLiteral("* multicast") : QString(),
         {},
         count_text(total.commands),
         count_text(total.bytes),
         bursts ? count_text(total.bursts) : QString()});
}

void paint_why(const TilingFrame& frame, const QRectF& box) {
  const auto lines = why_lines(frame.scene, box.width());
  if (lines.empty()) return;
  paint_heading(frame, box, QStringLiteral("Why"));
  double top = box.top() + fact_heading;
  frame.painter.setFont(why_font());
  for (const WhyLine& line : lines) {
    frame.painter.setPen(line.muted ? frame.theme.muted_text : frame.theme.text);
    frame.painter.drawText(QRectF(box.left(), top, box.width(), line.height), Qt::AlignLeft | Qt::TextWordWrap,
                           line.text);
    top += line.height;
  }
}

void paint_comparison(const TilingFrame& frame, const QRectF& box) {
  const auto& compared = frame.scene.content().compared;
  if (compared.empty()) return;
  double slowest = 0;
  for (const target::Alternative& each : compared) slowest = std::max(slowest, each.metrics.seconds.value);
  paint_heading(frame, box, QStringLiteral("Best tiling of each strategy"));
  QPainter& painter = frame.painter;
  const double w = box.width();
  const double bar_end = 310 + 0.1 * w;
  const auto& figures = frame.scene.content().figures;
  std::vector<double> ends{104, 244, 310, bar_end};
  for (std::size_t i = 0; i < figures.size(); ++i) ends.push_back(ends.back() + 62);
  ends.push_back(ends.back() + 88);
  ends.push_back(w + 8);
  const auto why = static_cast<qsizetype>(ends.size()) - 1;
  QRectF row(box.left(), box.top() + fact_heading - 2, w, fact_row);
  const auto print = [&](const QStringList& texts) {
    double from = 0;
    for (qsizetype i = 0; i < texts.size(); ++i) {
      const double to = ends[static_cast<std::size_t>(i)];
      cell(frame, row, from, to, texts[i], i == 2 || (i > 3 && i < why));
      from = to;
    }
  };
  painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
  painter.setPen(frame.theme.muted_text);
  QStringList names;
  for (const target::Alternative& each : compared) {
    for (const target::TileSize& size : each.sizes) names << to_text(size.name);
    if (!names.isEmpty()) break;
  }
  QStringList heading{QStringLiteral("strategy"), names.join(QStringLiteral(" × ")), QStringLiteral("time"), {}};
  for (const artifact::FigureDescription& each : figures) heading << to_text(each.label).toLower();
  print(heading << QStringLiteral("bytes") << QStringLiteral("why"));
  for (const target::Alternative& each : compared) {
    row.translate(0, fact_row);
    painter.setFont(with_pixel_size(frame.theme.data_font(), 11));
    if (each.chosen) painter.fillRect(row.adjusted(-4, 0, 4, 0), frame.theme.raised);
    painter.setPen(each.fits ? frame.theme.text : frame.theme.muted_text);
    QStringList texts{(each.chosen ? QStringLiteral("● ") : QStringLiteral("  ")) + to_text(each.strategy),
                      sizes_text(each.sizes),
                      each.fits ? time_text(each.metrics) : QStringLiteral("no fit"),
                      {}};
    for (const artifact::FigureDescription& figure : figures)
      texts << (each.fits ? figure_text(each.metrics, figure) : QStringLiteral("–"));
    print(texts << (each.fits ? count_text(bytes_moved(each.metrics)) : QStringLiteral("–")));
    painter.setFont(with_pixel_size(frame.theme.label_font(), 11));
    cell(frame, row, ends[ends.size() - 2], ends.back(), to_text(each.explanation), false);
    if (!each.fits) continue;
    const QRectF bar(row.left() + ends[2] + 4, row.top() + 5, ends[3] - ends[2] - 16, 8);
    paint_bar(frame, bar, slowest > 0 ? each.metrics.seconds.value / slowest : 0,
              each.chosen ? frame.theme.better : frame.theme.baseline);
  }
}

}  // namespace convscope::ui
