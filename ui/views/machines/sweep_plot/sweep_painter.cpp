#include "ui/views/machines/sweep_plot/sweep_painter.h"

#include <QPaintEngine>
#include <QPainter>
#include <QStringList>
#include <algorithm>

#include "ui/parts/drawing.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

constexpr std::size_t reasons_in_heading = 2, reasons_in_reading = 12;

}  // namespace

LegendLine draw_heading(QPainter& painter, const QRectF& area, const explore::SweepTable& table, const QString& said,
                        const ColourCoding& colours, const Theme& theme) {
  const QRectF first(area.left() + 10, area.top() + 4, area.width() - 20, 18);
  painter.setFont(with_pixel_size(theme.label_font(), 12));
  const double x = draw_label(painter, first, first.left(), theme.text, to_text(table.title));
  QStringList all{seen_text(table), said, removed_text(table, reasons_in_heading)};
  all.removeAll(QString());
  painter.setPen(theme.muted_text);
  draw_text(painter, QRectF(x + 4, first.top(), first.right() - x - 4, first.height()),
            Qt::AlignLeft | Qt::AlignVCenter, all.join(QStringLiteral(" · ")));
  const QRectF second = first.translated(0, 19);
  const double next = colours.draw_legend(painter, second, theme);
  painter.setFont(with_pixel_size(theme.label_font(), 11));
  return {second, next};
}

QString heading_reading(const explore::SweepTable& table) {
  QStringList all{seen_text(table), removed_text(table, reasons_in_reading)};
  all.removeAll(QString());
  return all.join(QChar('\n'));
}

bool is_vector(const QPainter& painter) {
  const QPaintEngine* engine = painter.paintEngine();
  if (engine == nullptr) return false;
  return engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf ||
         engine->type() == QPaintEngine::Picture;
}

double image_ratio(const QPainter& painter, double in_file) {
  return is_vector(painter) ? in_file : std::max(1.0, painter.device()->devicePixelRatioF());
}

}  // namespace convscope::ui
