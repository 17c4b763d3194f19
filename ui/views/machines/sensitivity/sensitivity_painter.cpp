#include "ui/views/machines/sensitivity/sensitivity_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/model/exploration.h"
#include "ui/parts/canvas/message_painter.h"
#include "ui/parts/drawing.h"
#include "ui/parts/stale_mark.h"

namespace convscope::ui {
namespace {

constexpr double heading_height = 62, row_height = 20, foot_height = 24;
constexpr double name_width = 130, what_width = 152, figure_width = 62, bound_width = 120;
constexpr double panel_gap = 14;
constexpr double least_range = 0.02;
constexpr double least_bars = 90;
/// Bars of losses longer than this part of the longest gain's are cut, and show it: gains are what one looks for.
constexpr double longest_loss = 0.6;

QString signed_percent(double gain) {
  const QString size = QString::number(100 * std::abs(gain), 'f', std::abs(gain) < 10 ? 1 : 0);
  if (size == QStringLiteral("0.0")) return QStringLiteral("0 %");
  return (gain > 0 ? QStringLiteral("−") : QStringLiteral("+")) + size + QStringLiteral(" %");
}

QString bound_change(const ChangeEffect& effect) {
  if (effect.bound_before == effect.bound_after) return effect.bound_before;
  return QStringLiteral("%1 → %2").arg(effect.bound_before, effect.bound_after);
}

}  // namespace

struct SensitivityPainter::Columns {
  QRectF name, what;
  QRectF total, layer;  ///< panels: bars, then figure and bound; `layer` is empty if there is no room, or no layer
};

SensitivityPainter::Columns SensitivityPainter::columns(const QRectF& area) const {
  Columns columns;
  const double top = area.top(), height = area.height();
  columns.name = QRectF(area.left() + 10, top, name_width, height);
  columns.what = QRectF(columns.name.right() + 6, top, what_width, height);
  const double left = columns.what.right() + 8, width = std::max(1.0, area.right() - 12 - left);
  const double panel = (width - panel_gap) / 2;
  const bool both = !rows_->layer_name().isEmpty() && panel >= least_bars + figure_width + bound_width / 2;
  columns.total = QRectF(left, top, both ? panel : width, height);
  if (both) columns.layer = QRectF(left + panel + panel_gap, top, panel, height);
  return columns;
}

CanvasGeometry SensitivityPainter::geometry(const QRectF& area) const {
  const QRectF plot = area.adjusted(0, heading_height, 0, -foot_height);
  const double height = row_height * static_cast<double>(rows_->rows().size());
  return {plot, QSizeF(area.width(), height), QSizeF(1, 1), false, false, 1};
}

artifact::Ref SensitivityPainter::subject() const {
  artifact::Ref ref;
  ref.layer = std::max(layer_, 0);
  return ref;
}

bool SensitivityPainter::covers(const artifact::Ref& selection, int /*program*/) const {
  return selection.layer == layer_;
}

QSizeF SensitivityPainter::preferred_size() const {
  const double rows = row_height * static_cast<double>(rows_->rows().size());
  return {1100, std::clamp(heading_height + rows + foot_height, 240.0, 4000.0)};
}

QRectF SensitivityPainter::place_of_row(std::size_t row) const {
  return {0, row_height * static_cast<double>(row), 1, row_height};
}

std::optional<std::size_t> SensitivityPainter::row_at(QPointF point, const QRectF& area) const {
  const Placement placement = this->placement(area);
  if (!placement.plot.contains(point)) return std::nullopt;
  const double row = std::floor(placement.content(point).y() / row_height);
  if (row < 0 || row >= static_cast<double>(rows_->rows().size())) return std::nullopt;
  return static_cast<std::size_t>(row);
}

QString SensitivityPainter::reading(QPointF point, const QRectF& area) const {
  const auto row = row_at(point, area);
  return row ? rows_->reading(*row) : QString();
}

double SensitivityPainter::scale(const QRectF& bars) const {
  return (bars.width() - 2) / (std::max(rows_->most_gain(), least_range) + shown_loss());
}

double SensitivityPainter::shown_loss() const {
  return std::min(rows_->most_loss(), longest_loss * std::max(rows_->most_gain(), least_range));
}

double SensitivityPainter::zero(const QRectF& bars) const {
  return bars.left() + 1 + shown_loss() * scale(bars);
}

void SensitivityPainter::paint_effect(QPainter& painter, const QRectF& panel, const QRectF& box,
                                      const ChangeEffect& effect, const Theme& theme) const {
  const double text = std::min(figure_width + bound_width, panel.width() - least_bars);
  const QRectF bars(panel.left(), box.top(), panel.width() - text, box.height());
  const double at = zero(bars), per_part = scale(bars);
  const double length = std::max(effect.gain, -shown_loss()) * per_part;
  const bool better = effect.gain > 0;
  const QColor colour = better ? theme.better : theme.worse;
  const QRectF bar = QRectF(length < 0 ? at + length : at, box.top() + 4, std::abs(length), box.height() - 8);
  if (std::abs(effect.gain) >= 0.00005) {
    painter.setPen(QPen(colour, 1, theme.line_style(rows_->run().result.before.origin)));
    painter.setBrush(better ? QBrush(colour) : QBrush(colour, Qt::FDiagPattern));
    painter.drawRect(visible_box(bar));
  }
  if (effect.gain < -shown_loss() - 1e-9) {
    // The bar goes on.
    painter.fillRect(QRectF(bar.left() + 5, bar.top() - 1, 3, bar.height() + 2), theme.background);
  }
  painter.setPen(QPen(theme.text, 1));
  painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()));
  const double left = bars.right() + 4;
  painter.setFont(with_pixel_size(theme.data_font(), 11));
  painter.setPen(std::abs(effect.gain) < 0.0005 ? theme.muted_text : colour);
  draw_text(painter, QRectF(left, box.top(), figure_width - 6, box.height()), Qt::AlignRight | Qt::AlignVCenter,
            signed_percent(effect.gain));
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  painter.setPen(effect.bound_before == effect.bound_after ? theme.muted_text : theme.text);
  draw_text(painter, QRectF(left + figure_width + 2, box.top(), panel.right() - left - figure_width - 2, box.height()),
            Qt::AlignLeft | Qt::AlignVCenter, bound_change(effect));
}

void SensitivityPainter::paint_row(QPainter& painter, const QRectF& box, const Columns& columns, std::size_t index,
                                   const Theme& theme) const {
  const SensitivityRow& row = rows_->rows()[index];
  if (static_cast<int>(index) == cursor_) painter.fillRect(box, theme.raised);
  const bool first_of_kind = index == 0 || rows_->rows()[index - 1].kind != row.kind;
  if (!row.name.isEmpty() && index > 0) {
    painter.setPen(QPen(first_of_kind ? theme.border : theme.grid, 1));
    painter.drawLine(box.topLeft(), box.topRight());
  }
  const auto in = [&](const QRectF& column) { return QRectF(column.left(), box.top(), column.width(), box.height()); };
  const bool effect = row.kind == SensitivityRow::Kind::effect;
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(effect ? theme.text : theme.muted_text);
  draw_text(painter, in(columns.name), Qt::AlignLeft | Qt::AlignVCenter, row.name);
  painter.setFont(with_pixel_size(theme.data_font(), 11));
  QRectF what = in(columns.what);
  if (effect) {
    draw_text(painter, what, Qt::AlignLeft | Qt::AlignVCenter, row.what);
    paint_effect(painter, columns.total, box, row.total, theme);
    if (row.layer && !columns.layer.isEmpty()) paint_effect(painter, columns.layer, box, *row.layer, theme);
    return;
  }
  if (row.kind == SensitivityRow::Kind::none) what.setRight(box.right() - 12);
  draw_text(painter, what, Qt::AlignLeft | Qt::AlignVCenter, row.what);
  if (row.kind != SensitivityRow::Kind::impossible) return;
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  draw_text(painter, QRectF(columns.total.left(), box.top(), box.right() - 12 - columns.total.left(), box.height()),
            Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("impossible: %1").arg(row.reason));
}

void SensitivityPainter::paint_heading(QPainter& painter, const QRectF& area, const Columns& columns,
                                       const Theme& theme) const {
  painter.fillRect(QRectF(area.topLeft(), QSizeF(area.width(), heading_height)), theme.background);
  const SensitivityRun& run = rows_->run();
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  painter.setPen(theme.text);
  QString title = run.target ? to_text(run.target->title()) : QString();
  if (run.network && !title.isEmpty()) title = QStringLiteral("%1 on %2").arg(to_text(run.network->name), title);
  if (!title.isEmpty()) title += QStringLiteral(", ");
  title += QStringLiteral("%1 · one parameter changed at a time, everything compiled again").arg(to_text(run.level));
  if (!run.complete) title += QStringLiteral(" · measuring, %1 done so far").arg(run.result.changes.size());
  draw_text(painter, QRectF(area.left() + 10, area.top() + 4, area.width() - 20, 18), Qt::AlignLeft | Qt::AlignVCenter,
            title);
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  painter.setPen(theme.muted_text);
  const auto head = [&](const QRectF& column, double y, const QString& text) {
    draw_text(painter, QRectF(column.left(), area.top() + y, column.width(), 16), Qt::AlignLeft | Qt::AlignVCenter,
              text);
  };
  const QString origin = to_text(origin_name(run.result.before.origin));
  head(columns.name, 42, QStringLiteral("parameter"));
  head(columns.what, 42, QStringLiteral("change: step or limit"));
  const QString sides = QStringLiteral("← slower !  faster ✓ →");
  head(columns.total, 25, QStringLiteral("whole network (%1)").arg(origin));
  head(columns.total, 42, sides);
  const auto bound_head = [&](const QRectF& panel) {
    const double text = std::min(figure_width + bound_width, panel.width() - least_bars);
    if (text < figure_width + 60) return;
    draw_text(painter, QRectF(panel.right() - text + figure_width + 6, area.top() + 42, text - figure_width - 6, 16),
              Qt::AlignLeft | Qt::AlignVCenter,
              rows_->by_bound() ? QStringLiteral("what binds") : QStringLiteral("takes longest"));
  };
  bound_head(columns.total);
  if (!columns.layer.isEmpty()) {
    head(columns.layer, 25, QStringLiteral("%1 (%2)").arg(rows_->layer_name(), origin));
    head(columns.layer, 42, sides);
    bound_head(columns.layer);
  }
  painter.setPen(QPen(theme.border, 1));
  painter.drawLine(QPointF(area.left(), area.top() + heading_height - 1),
                   QPointF(area.right(), area.top() + heading_height - 1));
}

void SensitivityPainter::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
  painter.fillRect(area, theme.background);
  if (area.width() < 200 || area.height() < heading_height + row_height) return;
  painter.save();
  const Placement placement = this->placement(area);
  const Columns columns = this->columns(area);
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(placement.origin.y() / row_height)));
  for (std::size_t row = first; row < rows_->rows().size(); ++row) {
    const double top = placement.plot.top() + row_height * static_cast<double>(row) - placement.origin.y();
    const QRectF box(area.left(), top, area.width(), row_height);
    if (box.bottom() > placement.plot.bottom() + foot_height) break;
    paint_row(painter, box, columns, row, theme);
  }
  paint_heading(painter, area, columns, theme);
  if (rows_->rows().empty()) {
    painter.setPen(theme.muted_text);
    painter.setFont(with_pixel_size(theme.label_font(), 13));
    draw_text(painter, placement.plot, Qt::AlignHCenter | Qt::AlignVCenter,
              rows_->run().complete ? QStringLiteral("This machine has no parameter that could be changed.")
                                    : QStringLiteral("Measuring: the first changes appear here in a moment."));
  }
  if (outdated_) paint_stale_mark(painter, area, theme, QStringLiteral("measured for another machine"));
  painter.restore();
}

bool is_outdated(const SensitivityRun& run, const Snapshot& snapshot) {
  const auto& now = snapshot.compiled;
  if (!now) return false;
  return run.network != now->network || run.target != now->target || run.level != now->level ||
         !(run.machine == now->machine);
}

std::unique_ptr<CanvasPainter> make_sensitivity_canvas(const Snapshot& snapshot, EffectOrder order) {
  const auto run = snapshot.exploration ? snapshot.exploration->sensitivity : nullptr;
  if (!run) {
    QString message = missing_network_message(snapshot);
    if (snapshot.compiled && snapshot.message.isEmpty())
      message = QStringLiteral(
          "Not measured yet. Measure (F7) moves each parameter of this machine one step and to its limit, compiles the "
          "network again for each, in the background, and shows what that gains.");
    return std::make_unique<MessagePainter>(message);
  }
  // Layers of another network are not those that were measured.
  const bool same = !snapshot.compiled || snapshot.compiled->network == run->network;
  const int layer = same ? snapshot.selection.layer : -1;
  return std::make_unique<SensitivityPainter>(std::make_shared<const SensitivityRows>(run, layer, order),
                                              snapshot.selection.layer, is_outdated(*run, snapshot));
}

std::unique_ptr<ViewPainter> make_sensitivity_painter(const Snapshot& snapshot) {
  return make_sensitivity_canvas(snapshot, EffectOrder::total);
}

}  // namespace convscope::ui
