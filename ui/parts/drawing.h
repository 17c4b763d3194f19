#pragma once
// Small drawing helpers that every painter shares. Nothing here clips: SVG export drops clipping, so text is elided
// and boxes are cut in data.

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/artifact/operation.h"
#include "ui/theme/theme.h"
#include "ui/words/text.h"

namespace convscope::ui {

QString kind_name(artifact::OperationClass kind);

/// The font at a height in logical pixels, so that every paint device draws the same size.
QFont with_pixel_size(QFont font, double pixels);

/// Text inside a box, elided to its width; nothing if not even one letter fits.
void draw_text(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QString& text);

/// Brush for slots in which nothing happens.
QBrush idle_brush(const Theme& theme);

/// A limit for a full-HD frame, for an area of any size: exports of large pictures take their time, and show more.
std::size_t scaled_limit(std::size_t limit, const QRectF& area);

/// At least one pixel in each direction: nothing of zero length vanishes.
QRectF visible_box(QRectF box);

/// Smallest of 1, 2, 5 x 10^n that is >= minimum; for ticks of integer axes at least 1.
std::int64_t tick_step(double minimum);

struct LegendEntry {
  QBrush fill;
  QString name;
  QColor edge = {};  ///< the theme's border if invalid
};
/// Entries from the left, as many as fit; returns where the next one would begin.
double draw_legend(QPainter& painter, const QRectF& box, const Theme& theme, const std::vector<LegendEntry>& entries);

enum class IdleEntry { shown, left_out };
/// Fills of kinds of operation, named in a corner of a chart or header: the usual ones, and others that occur.
void draw_kind_legend(QPainter& painter, const QRectF& box, const Theme& theme,
                      const std::set<artifact::OperationClass>& occurring, IdleEntry idle = IdleEntry::shown);
/// A range of figures, from the least to the largest; returns where the next thing would begin.
double draw_range_legend(QPainter& painter, const QRectF& box, const Theme& theme, const QString& name,
                         const QString& least, const QString& largest);

/// A field of a CSV line, quoted where RFC 4180 asks for it.
std::string csv_field(std::string_view text);

}  // namespace convscope::ui
