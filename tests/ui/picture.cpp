#include "tests/ui/picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace convscope::ui::test {

QImage picture_of(const ViewEntry& view, const Snapshot& snapshot, const Theme& theme, QSize size, double scale) {
  QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(theme.background);
  QPainter painter(&image);
  view.make_painter(snapshot)->paint(painter, QRectF(QPointF(), QSizeF(size)), theme);
  return image;
}

Difference difference(const QImage& a, const QImage& b) {
  double sum = 0, changed = 0;
  for (int y = 0; y < a.height(); ++y) {
    const auto* first = reinterpret_cast<const QRgb*>(a.constScanLine(y));
    const auto* second = reinterpret_cast<const QRgb*>(b.constScanLine(y));
    for (int x = 0; x < a.width(); ++x) {
      const int red = std::abs(qRed(first[x]) - qRed(second[x]));
      const int green = std::abs(qGreen(first[x]) - qGreen(second[x]));
      const int blue = std::abs(qBlue(first[x]) - qBlue(second[x]));
      sum += red + green + blue;
      if (std::max({red, green, blue}) > noticeable) ++changed;
    }
  }
  const double pixels = static_cast<double>(a.width()) * a.height();
  return {sum / (3 * pixels), changed / pixels};
}

}  // namespace convscope::ui::test
