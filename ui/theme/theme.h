#pragma once
// Every colour and font of the window: the only place with literal colours (a test holds that).
// Palettes: Okabe-Ito for categories, viridis for ranges; contrast of text >= 4.5:1 in both themes.

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include "core/artifact/operation.h"
#include "core/base/quantity.h"

namespace convscope::ui {

constexpr int series_colours = 10;

struct Theme {
  QString name;  ///< "light" or "dark"
  bool dark = false;
  QColor background, surface, raised, text, muted_text, grid, border, selection, selection_text, link;
  QColor read, write, coefficients, pixels, multiply_accumulate, activation, transfer, control, other,
      idle;  ///< operations
  QColor baseline, better, worse, warning, error, note;
  QColor series[series_colours];  ///< chart series without a meaning of their own

  /// The one colour of a kind of operation, everywhere.
  QColor colour(artifact::OperationClass kind) const;
  /// Text colour with enough contrast on a fill.
  QColor text_on(const QColor& fill) const;
  QFont data_font(double scale = 1) const;  ///< tabular digits
  QFont label_font(double scale = 1) const;
  /// Line style by origin: solid for simulated and derived, dashed for estimates, dotted for published.
  Qt::PenStyle line_style(Origin origin) const;
  QPalette palette() const;
};

const Theme& light_theme();
const Theme& dark_theme();
/// By name; the light theme for an unknown one.
const Theme& theme_by_name(const QString& name);

}  // namespace convscope::ui
