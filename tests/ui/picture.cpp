#include "tests/ui/picture.h"

#include <QDir>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace convscope::ui::test {
namespace {

// Fonts are pinned and not hinted, but rasterizers of other versions may shade an edge differently.
constexpr double largest_mean = 1.5, largest_changed = 0.01;

}  // namespace

QImage picture_of(const ViewEntry& view, const Snapshot& snapshot, const Theme& theme, QSize size, double scale) {
  return picture_of(*view.make_painter(snapshot), theme, size, scale);
}

QImage picture_of(const ViewPainter& view, const Theme& theme, QSize size, double scale) {
  QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(theme.background);
  QPainter painter(&image);
  view.paint(painter, QRectF(QPointF(), QSizeF(size)), theme);
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

testing::AssertionResult looks_as_kept(const QImage& drawn, const QString& name) {
  const QString file = QStringLiteral(CONVSCOPE_SOURCE_DIR "/tests/ui/images/%1.png").arg(name);
  if (qEnvironmentVariableIsSet("CONVSCOPE_KEEP_IMAGES")) {
    if (drawn.save(file)) return testing::AssertionSuccess();
    return testing::AssertionFailure() << file.toStdString() << " can't be written";
  }
  const QImage kept = QImage(file).convertToFormat(QImage::Format_RGB32);
  if (kept.size() != drawn.size())
    return testing::AssertionFailure() << file.toStdString() << " is missing or has another size";
  const Difference apart = difference(drawn, kept);
  if (apart.mean <= largest_mean && apart.changed <= largest_changed) return testing::AssertionSuccess();
  const QString folder = QStringLiteral(CONVSCOPE_BINARY_DIR "/images");
  QDir().mkpath(folder);
  const QString actual = folder + QChar('/') + name + QStringLiteral(".png");
  drawn.save(actual);
  return testing::AssertionFailure() << name.toStdString() << ": mean difference " << apart.mean << ", "
                                     << 100 * apart.changed << " % of the pixels; drawn now: " << actual.toStdString();
}

}  // namespace convscope::ui::test
