// Charts of thousands of layers: each pixel shows the tallest bar that lies there.

#include <QImage>
#include <QPainter>

#include <gtest/gtest.h>

#include "ui/plot/bar_chart.h"

namespace convscope::ui::test {
namespace {

constexpr std::size_t layers = 5000, peak = 2501;

std::shared_ptr<BarChart> chart_with_a_peak() {
  auto chart = std::make_shared<BarChart>();
  BarPart part{QStringLiteral("cycles"), {BarFill::Kind::series, 0}, {}};
  for (std::size_t layer = 0; layer < layers; ++layer) {
    chart->categories.push_back({QStringLiteral("layer %1").arg(layer), static_cast<int>(layer)});
    part.values.push_back(layer == peak ? 100 : layer % 2 == 0 ? 1 : no_bar);
  }
  BarStack stack{QStringLiteral("now"), Origin::derived, false, false, {}};
  stack.parts = {part};
  chart->stacks = {stack};
  return chart;
}

TEST(ManyBars, LeaveNoPeakOut) {
  const ChartPainter view(chart_with_a_peak());
  QImage image(900, 480, QImage::Format_ARGB32_Premultiplied);
  QPainter painter(&image);
  view.paint(painter, QRectF(image.rect()), light_theme());
  painter.end();
  const QRgb colour = light_theme().series[0].rgb();
  int low = 0, high = 0;
  for (int x = 0; x < image.width(); ++x) {
    int filled = 0;
    for (int y = 0; y < image.height(); ++y) filled += image.pixel(x, y) == colour ? 1 : 0;
    high += filled > 100 ? 1 : 0;
    low += filled > 0 && filled <= 100 ? 1 : 0;
  }
  EXPECT_GE(high, 1) << "one bar of 5000 is high";
  EXPECT_LE(high, 20) << "and the square of the legend";
  EXPECT_GE(low, 600) << "the others are low, and there";
}

}  // namespace
}  // namespace convscope::ui::test
