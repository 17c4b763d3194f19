#include <QFontMetricsF>
#include <set>

#include "core/base/integers.h"
#include "ui/parts/drawing.h"
#include "ui/views/network/network_graph/network_graph_frame.h"

namespace convscope::ui {

using namespace network_graph_look;

double NetworkGraphPainter::paint_scale(const Frame& frame, const QRectF& strip) const {
  const QString name = box_colour_name(scene_.colour());
  if (!scene_.range()) {
    frame.painter.setPen(frame.theme.text);
    const QString text = name + QStringLiteral(": unknown until compiled");
    draw_text(frame.painter, strip, Qt::AlignLeft | Qt::AlignVCenter, text);
    return strip.left() + QFontMetricsF(frame.painter.font()).horizontalAdvance(text) + 16;
  }
  return draw_range_legend(frame.painter, strip, frame.theme,
                           scene_.range()->logarithmic ? name + QStringLiteral(" (logarithmic)") : name,
                           scene_.cost_text(scene_.range()->least), scene_.cost_text(scene_.range()->largest));
}
void NetworkGraphPainter::paint_legend(const Frame& frame) const {
  QPainter& painter = frame.painter;
  const Theme& theme = frame.theme;
  const QRectF strip(frame.area.left(), frame.area.top(), frame.area.width(), heading);
  painter.fillRect(strip, theme.surface);
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = strip.left() + 8;
  const auto entry = [&](const QBrush& fill, const QColor& edge, const QString& name, double wide = 10) {
    const double width = wide + 5 + metrics.horizontalAdvance(name) + 14;
    if (x + width > strip.right()) return;
    const QRectF sample(x, strip.center().y() - 5, wide, 10);
    painter.fillRect(sample, theme.background);
    painter.setPen(QPen(edge, 1));
    painter.setBrush(fill);
    painter.drawRect(sample);
    painter.setPen(theme.muted_text);
    painter.drawText(QRectF(x + wide + 5, strip.top(), width, heading), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += width;
  };
  std::set<OperatorKind> present;
  bool any_unmapped = false, any_utilization = false;
  const auto& boxes = scene_.drawing().content().boxes;
  for (int box = 0; box < static_cast<int>(boxes.size()); ++box) {
    if (boxes[at(box)].layers.empty()) continue;
    present.insert(scene_.drawing().kind(box));
    any_unmapped = any_unmapped || scene_.state(box) == BoxState::unmapped || scene_.state(box) == BoxState::partly;
    any_utilization = any_utilization || (scene_.costs(box).utilization && scene_.costs(box).macs > 0);
  }
  if (scene_.colour() != BoxColour::kind) x = paint_scale(frame, strip.adjusted(8, 0, -8, 0));
  for (const OperatorKind kind : operator_kinds) {
    const QColor colour = operator_colour(kind, theme);
    if (present.count(kind) > 0) entry(colour, colour, operator_kind_name(kind));
  }
  if (any_unmapped) entry(QBrush(theme.muted_text, Qt::BDiagPattern), theme.muted_text, QStringLiteral("not mapped"));
  if (any_utilization) {
    painter.fillRect(QRectF(x, strip.center().y() - 2, 20, 5), theme.background);
    painter.fillRect(QRectF(x, strip.center().y() - 2, 12, 5), theme.text);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(x, strip.center().y() - 2, 20, 5));
    painter.setPen(theme.muted_text);
    draw_text(painter, QRectF(x + 25, strip.top(), strip.right() - x - 25, heading), Qt::AlignLeft | Qt::AlignVCenter,
              QStringLiteral("utilization"));
    x += 25 + metrics.horizontalAdvance(QStringLiteral("utilization")) + 14;
  }
  if (!scene_.baseline().isEmpty() && x < strip.right()) {
    painter.setPen(theme.muted_text);
    draw_text(
        painter, QRectF(x, strip.top(), strip.right() - x, heading), Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("▼▲ %1 vs %2, ✓ better, ! worse").arg(to_text(scene_.difference_key()), scene_.baseline()));
  }
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(strip.bottomLeft(), strip.bottomRight());
}

}  // namespace convscope::ui
