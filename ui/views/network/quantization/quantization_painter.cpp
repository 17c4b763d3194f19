#include "ui/views/network/quantization/quantization_painter.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/views/network/quantization/magnitude_panel.h"

namespace convscope::ui {
namespace {

constexpr double edge = 10, title_height = 26, axis_width = 44, chart_head = 20, chart_foot = 22, row_height = 18;
constexpr double catch_distance = 12, panel_space = 8;
constexpr std::size_t marked_losses = 5;

/// In which the chart's points lie.
QRectF plot_of(const QRectF& chart) {
  return chart.adjusted(axis_width, chart_head, -edge, -chart_foot);
}

}  // namespace

QuantizationPainter::Sections QuantizationPainter::sections(const QRectF& area) {
  Sections parts;
  parts.title = QRectF(area.left() + edge, area.top() + 2, area.width() - 2 * edge, title_height - 4);
  const double top = area.top() + title_height, height = area.height() - title_height, upper = 0.5 * height;
  const double chart = area.width() * (area.width() < 560 ? 1 : 0.66);
  parts.chart = QRectF(area.left(), top, chart, upper);
  parts.losses = QRectF(area.left() + chart, top, std::max(0.0, area.width() - chart - edge), upper);
  parts.panels = QRectF(area.left() + edge, top + upper + 4, area.width() - 2 * edge, height - upper - edge);
  return parts;
}

QuantizationPainter::Scale QuantizationPainter::scale() const {
  Scale scale{1000, -1000};
  for (const int point : scene_.points) {
    const double noise = scene_.tensor(point).noise.value_or(0);
    if (!(noise > 0) || !std::isfinite(noise)) continue;
    scale.least = std::min(scale.least, artifact::decibels(noise));
    scale.most = std::max(scale.most, artifact::decibels(noise));
  }
  if (scale.least > scale.most) return {};
  return {10 * std::floor(scale.least / 10), 10 * std::ceil(scale.most / 10 + 0.5)};  // what loses nothing is on top
}

double QuantizationPainter::height_of(double noise, const QRectF& plot) const {
  const Scale range = scale();
  const double level = noise > 0 ? artifact::decibels(noise) : range.most;
  const double part = (level - range.least) / std::max(1.0, range.most - range.least);
  return plot.bottom() - std::clamp(part, 0.0, 1.0) * plot.height();
}

CanvasGeometry QuantizationPainter::geometry(const QRectF& area) const {
  return {area, area.size(), QSizeF(1, 1), false, false, 1};
}

artifact::Ref QuantizationPainter::subject() const {
  artifact::Ref ref;
  ref.layer = std::max(scene_.layer, 0);
  return ref;
}

bool QuantizationPainter::covers(const artifact::Ref& selection, int /*program*/) const {
  return selection.layer == scene_.layer;
}

QPointF QuantizationPainter::place_of_point(std::size_t point, const QRectF& area) const {
  const QRectF plot = plot_of(sections(area).chart);
  const double steps = std::max(1.0, static_cast<double>(scene_.points.size()) - 1);
  return {plot.left() + plot.width() * static_cast<double>(point) / steps,
          height_of(scene_.tensor(scene_.points[point]).noise.value_or(0), plot)};
}

QRectF QuantizationPainter::place_of_loss(std::size_t row, const QRectF& area) const {
  const QRectF list = sections(area).losses;
  return {list.left(), list.top() + chart_head + row_height * static_cast<double>(row), list.width(), row_height};
}

QRectF QuantizationPainter::panel_box(std::size_t panel, const QRectF& area) const {
  const QRectF all = sections(area).panels;
  const auto count = static_cast<double>(scene_.panels.size());
  const double width = (all.width() - panel_space * (count - 1)) / count;
  return {all.left() + static_cast<double>(panel) * (width + panel_space), all.top(), width, all.height()};
}

void QuantizationPainter::paint_axis(QPainter& painter, const QRectF& plot, const Theme& theme) const {
  painter.setFont(with_pixel_size(theme.data_font(), 11));
  const Scale range = scale();
  const double step = static_cast<double>(tick_step((range.most - range.least) * 24 / std::max(1.0, plot.height())));
  for (double level = std::ceil(range.least / step) * step; level <= range.most + 1e-9; level += step) {
    const double y = plot.bottom() - (level - range.least) / (range.most - range.least) * plot.height();
    painter.setPen(QPen(theme.grid, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme.muted_text);
    draw_text(painter, QRectF(plot.left() - axis_width, y - 8, axis_width - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
              QString::number(level));
  }
}

void QuantizationPainter::paint_chart(QPainter& painter, const QRectF& area, const Theme& theme) const {
  const QRectF chart = sections(area).chart, plot = plot_of(chart);
  if (plot.height() < 30 || plot.width() < 60 || scene_.points.empty()) return;
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  painter.setPen(theme.muted_text);
  draw_text(painter, QRectF(chart.left() + edge, chart.top(), chart.width() - 2 * edge, chart_head - 4),
            Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("signal to quantization noise (dB), tensors in the order of computation (simulated)"));
  paint_axis(painter, plot, theme);
  if (scene_.chosen >= 0) {
    const QPointF at = place_of_point(static_cast<std::size_t>(scene_.chosen), area);
    painter.setPen(QPen(theme.selection, 2));
    painter.drawLine(QPointF(at.x(), plot.top()), QPointF(at.x(), plot.bottom()));
    painter.setPen(theme.text);
    draw_text(
        painter, QRectF(plot.left(), plot.bottom() + 3, plot.width(), chart_foot - 4), Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("selected: %1, %2")
            .arg(scene_.layer_name(scene_.points[static_cast<std::size_t>(scene_.chosen)]),
                 noise_text(scene_.tensor(scene_.points[static_cast<std::size_t>(scene_.chosen)]).noise.value_or(0))));
  }
  painter.setPen(QPen(theme.series[0], 1.6));
  for (std::size_t i = 1; i < scene_.points.size(); ++i)
    painter.drawLine(place_of_point(i - 1, area), place_of_point(i, area));
  for (std::size_t i = 0; i < scene_.points.size(); ++i) {
    const auto shown =
        scene_.losses.begin() + static_cast<std::ptrdiff_t>(std::min(marked_losses, scene_.losses.size()));
    const bool loses = std::find(scene_.losses.begin(), shown, scene_.points[i]) != shown;
    const bool exact = scene_.tensor(scene_.points[i]).noise.value_or(0) == 0;
    painter.setPen(QPen(loses ? theme.worse : theme.series[0], 1.4));
    painter.setBrush(exact ? QBrush(theme.background) : QBrush(loses ? theme.worse : theme.series[0]));
    const double radius = loses || static_cast<int>(i) == scene_.chosen ? 4 : 2.5;
    painter.drawEllipse(place_of_point(i, area), radius, radius);
  }
  painter.setBrush(Qt::NoBrush);
}

void QuantizationPainter::paint_losses(QPainter& painter, const QRectF& area, const Theme& theme) const {
  const QRectF list = sections(area).losses;
  if (list.width() < 80) return;
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  painter.setPen(theme.muted_text);
  draw_text(painter, QRectF(list.left(), list.top(), list.width(), chart_head - 4), Qt::AlignLeft | Qt::AlignVCenter,
            QStringLiteral("adds most noise: before → after"));
  for (std::size_t row = 0; row < scene_.losses.size(); ++row) {
    const QRectF box = place_of_loss(row, area);
    if (box.bottom() > list.bottom()) break;
    const artifact::QuantizedTensor& tensor = scene_.tensor(scene_.losses[row]);
    if (tensor.layer >= 0 && tensor.layer == scene_.layer) painter.fillRect(box, theme.raised);
    painter.setFont(with_pixel_size(theme.label_font(), 12));
    painter.setPen(row < marked_losses ? theme.worse : theme.text);
    draw_text(painter, box.adjusted(2, 0, -box.width() * 0.45, 0), Qt::AlignLeft | Qt::AlignVCenter,
              scene_.layer_name(scene_.losses[row]));
    painter.setFont(with_pixel_size(theme.data_font(), 11));
    painter.setPen(theme.text);
    const double after = tensor.noise.value_or(0), before = after - tensor.added;
    draw_text(painter, box.adjusted(box.width() * 0.55, 0, -2, 0), Qt::AlignRight | Qt::AlignVCenter,
              before > 0 ? QStringLiteral("%1 → %2").arg(artifact::decibels(before), 0, 'f', 1).arg(noise_text(after))
                         : QStringLiteral("→ %1").arg(noise_text(after)));
  }
}

void QuantizationPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  if (area.width() < 160 || area.height() < 120) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(theme.text);
  draw_text(painter, sections(area).title, Qt::AlignLeft | Qt::AlignVCenter, scene_.title);
  paint_chart(painter, area, theme);
  paint_losses(painter, area, theme);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t i = 0; i < scene_.panels.size(); ++i) {
    const artifact::QuantizedTensor& tensor = scene_.tensor(scene_.panels[i]);
    paint_magnitudes(painter, panel_box(i, area), tensor,
                     tensor.constant ? to_text(tensor.name)
                                     : QStringLiteral("what %1 computes").arg(scene_.layer_name(scene_.panels[i])),
                     theme);
  }
  painter.restore();
}

int QuantizationPainter::tensor_at(QPointF point, const QRectF& area) const {
  for (std::size_t row = 0; row < scene_.losses.size(); ++row) {
    const QRectF box = place_of_loss(row, area);
    if (box.contains(point) && box.bottom() <= sections(area).losses.bottom()) return scene_.losses[row];
  }
  if (!sections(area).chart.contains(point) || scene_.points.empty()) return -1;
  const QRectF plot = plot_of(sections(area).chart);
  const double steps = std::max(1.0, static_cast<double>(scene_.points.size()) - 1);
  const double nearest = std::round((point.x() - plot.left()) / std::max(1.0, plot.width()) * steps);
  const auto index = static_cast<std::size_t>(std::clamp(nearest, 0.0, static_cast<double>(scene_.points.size()) - 1));
  return std::abs(place_of_point(index, area).x() - point.x()) <= catch_distance ? scene_.points[index] : -1;
}

std::optional<artifact::Ref> QuantizationPainter::hit(QPointF point, const QRectF& area) const {
  const int tensor = tensor_at(point, area);
  if (tensor < 0 || scene_.tensor(tensor).layer < 0) return std::nullopt;
  artifact::Ref ref;
  ref.layer = scene_.tensor(tensor).layer;
  return ref;
}

QString QuantizationPainter::reading(QPointF point, const QRectF& area) const {
  for (std::size_t i = 0; i < scene_.panels.size(); ++i) {
    const QRectF box = panel_box(i, area);
    if (!box.contains(point)) continue;
    const QString bar = magnitude_reading(point, box, scene_.tensor(scene_.panels[i]));
    return bar.isEmpty() ? scene_.words(scene_.panels[i]) : bar;
  }
  const int tensor = tensor_at(point, area);
  return tensor < 0 ? QString() : scene_.words(tensor);
}

std::unique_ptr<CanvasPainter> make_quantization_canvas(const Snapshot& snapshot) {
  const auto run = snapshot.exploration ? snapshot.exploration->quantization : nullptr;
  const bool same = run && (!snapshot.compiled || snapshot.compiled->network == run->network);
  if (same && run->result)
    return std::make_unique<QuantizationPainter>(make_quantization_scene(run, snapshot.selection.layer));
  QString message = missing_network_message(snapshot);
  if (snapshot.compiled && snapshot.message.isEmpty())
    message = QStringLiteral(
        "Not made yet. Quantize (F9) gives every tensor of the network a fixed-point format, executes the network in "
        "floating point and rounded, in the background, and shows the error along the network.");
  if (same && !run->failure.empty())
    message = QStringLiteral("The network can't be put into fixed point: %1").arg(to_text(run->failure));
  else if (same && snapshot.exploration->quantizing)
    message = QStringLiteral("Executing the network: %1 %").arg(std::round(100 * run->fraction));
  return std::make_unique<MessagePainter>(message);
}

std::unique_ptr<ViewPainter> make_quantization_painter(const Snapshot& snapshot) {
  return make_quantization_canvas(snapshot);
}

}  // namespace convscope::ui
