#pragma once
// How a tensor's values lie in its format: magnitudes by powers of two, and the bits of the word among them.

#include <QRectF>
#include <QString>

#include "core/artifact/quantization.h"
#include "ui/theme/theme.h"

class QPainter;

namespace convscope::ui {

/// `title` stands above. Positive values rise, negative ones hang; bars of what saturates are in the theme's colour for
/// errors, of what vanishes in that of muted text. Heights are logarithmic.
void paint_magnitudes(QPainter& painter, const QRectF& box, const artifact::QuantizedTensor& tensor,
                      const QString& title, const Theme& theme);
/// The bar under a point in words; empty if there is none.
QString magnitude_reading(QPointF point, const QRectF& box, const artifact::QuantizedTensor& tensor);

}  // namespace convscope::ui
