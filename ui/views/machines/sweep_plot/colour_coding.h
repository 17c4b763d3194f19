#pragma once
// Colours of a sweep's points by one of its columns: a range of colours for figures; for choices a colour and a shape
// each. Without a column there is one colour for the front and one for the rest.

#include <QRectF>
#include <QRgb>
#include <array>
#include <cstdint>
#include <vector>

#include "core/explore/results/sweep_table.h"
#include "ui/theme/theme.h"
#include "ui/views/machines/sweep_plot/marks.h"

class QPainter;

namespace convscope::ui {

class ColourCoding {
 public:
  enum class Kind { none, range, named };

  ColourCoding() = default;
  /// Of a column of a table that outlives this; null for none.
  explicit ColourCoding(const explore::SweepColumn* column);

  Kind kind() const { return kind_; }
  /// Index in the palette; 0 for a value that there is not. Without a column the front has a colour of its own.
  std::uint8_t index(double value, bool on_front = false) const;
  MarkShape shape(double value) const;
  /// Colours of the indices, opaque.
  std::array<QRgb, 256> palette(const Theme& theme) const;
  /// Name, unit, range or choices; returns where the next thing would begin.
  double draw_legend(QPainter& painter, const QRectF& box, const Theme& theme) const;

 private:
  double draw_range(QPainter& painter, const QRectF& box, const Theme& theme) const;
  double draw_names(QPainter& painter, const QRectF& box, const Theme& theme) const;

  Kind kind_ = Kind::none;
  const explore::SweepColumn* column_ = nullptr;
};

/// Writes a short text and returns where the next thing would begin; nothing, if it does not fit.
double draw_label(QPainter& painter, const QRectF& box, double x, const QColor& colour, const QString& text);

}  // namespace convscope::ui
