// Charts of networks with hundreds of layers: a part is seen, the rest is a scroll away.

#include <QScrollBar>
#include <QTest>

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/plot/bar_chart.h"
#include "ui/plot/chart_widget.h"
#include "views_fixture.h"

namespace convscope::ui::test {
namespace {

std::shared_ptr<BarChart> bars(int layers, int stacks = 1) {
  auto chart = std::make_shared<BarChart>();
  for (int layer = 0; layer < layers; ++layer) chart->categories.push_back({QStringLiteral("L%1").arg(layer), layer});
  for (int stack = 0; stack < stacks; ++stack) {
    BarPart part{QStringLiteral("s%1").arg(stack), {BarFill::Kind::series, stack}, {}};
    part.values.assign(static_cast<std::size_t>(layers), 50 + stack);
    chart->stacks.push_back({part.name, Origin::derived, false, false, {part}});
  }
  return chart;
}

class WideChart : public testing::Test {
 protected:
  void SetUp() override {
    widget.resize(900, 480);
    widget.show();
    ASSERT_TRUE(open_and_wait(workbench, sample("speed_sign")));
  }
  void show(int layers) {
    count = layers;
    widget.refresh();
    QTest::qWait(1);
  }
  QCPRange seen() { return widget.findChild<QCustomPlot*>()->xAxis->range(); }
  QScrollBar& bar() { return *widget.findChild<QScrollBar*>("chart-scroll"); }

  int count = 200;
  Workbench workbench{catalogue::standard()};
  ChartWidget widget{workbench, nullptr, [this](const Snapshot& snapshot) -> std::shared_ptr<const Chart> {
                       auto chart = bars(count);
                       chart->selected_layer = snapshot.selection.layer;
                       return chart;
                     }};
};

TEST_F(WideChart, APartIsSeenAndTheBarScrollsTheRest) {
  show(200);
  EXPECT_LT(seen().size(), 100);
  EXPECT_TRUE(bar().isVisible());
  bar().setValue(bar().maximum());
  EXPECT_NEAR(seen().upper, 199.6, 0.05);
  widget.findChild<QCustomPlot*>()->xAxis->setRange(-500, 500);
  EXPECT_NEAR(seen().lower, -0.6, 1e-6);
  EXPECT_NEAR(seen().upper, 199.6, 1e-6);
  EXPECT_FALSE(bar().isVisible());
}

TEST_F(WideChart, FewLayersAreAllSeen) {
  show(200);
  show(8);
  EXPECT_NEAR(seen().upper, 7.6, 1e-6);
  EXPECT_NEAR(seen().lower, -0.6, 1e-6);
  EXPECT_FALSE(bar().isVisible());
  show(200);
  EXPECT_TRUE(bar().isVisible());
  EXPECT_LT(seen().size(), 100);
}

TEST_F(WideChart, TheSelectedLayerComesIntoSightOnce) {
  ASSERT_TRUE(open_and_wait(workbench, sample("face_detection")));
  show(200);
  bar().setValue(bar().maximum());
  artifact::Ref first;
  first.layer = 1;
  workbench.select(first);
  EXPECT_TRUE(seen().contains(1));
  bar().setValue(bar().maximum());
  widget.refresh();  // new results do not take the user away from where he looks
  EXPECT_FALSE(seen().contains(1));
}

TEST(BarAxis, HasNoTicksAboveWhatIsAllThereCanBe) {
  auto chart = bars(3);
  chart->full = 100;
  chart->stacks[0].parts[0].values = {100, 99, 98};
  chart->stacks[0].labelled = true;
  QCustomPlot plot;
  chart->fill(plot, light_theme());
  plot.setViewport(QRect(0, 0, 700, 400));
  plot.replot();
  ASSERT_GT(plot.yAxis->range().upper, 100);
  QVector<double> ticks;
  QVector<QString> labels;
  plot.yAxis->ticker()->generate(plot.yAxis->range(), QLocale(), 'g', 6, ticks, nullptr, &labels);
  ASSERT_FALSE(ticks.isEmpty());
  EXPECT_LE(*std::max_element(ticks.begin(), ticks.end()), 100);
}

TEST(BarAxis, ManyNamesAreThinnedNotPiledUp) {
  const auto chart = bars(600);
  QCustomPlot plot;
  chart->fill(plot, light_theme());
  plot.setViewport(QRect(0, 0, 700, 400));
  QVector<double> ticks;
  QVector<QString> labels;
  plot.xAxis->ticker()->generate(plot.xAxis->range(), QLocale(), 'g', 6, ticks, nullptr, &labels);
  EXPECT_LE(ticks.size(), 60);
  EXPECT_GE(ticks.size(), 20);
  EXPECT_EQ(chart->csv().find("L599") == std::string::npos, false);
}

}  // namespace
}  // namespace convscope::ui::test
