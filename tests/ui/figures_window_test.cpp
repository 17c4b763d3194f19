// The window of published figures: what it lists, makes, shows and takes along.

#include "ui/published_figures/figures_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include "core/catalogue/standard.h"
#include "tests/ui/session.h"
#include "ui/published_figures/figure_painter.h"
#include "ui/published_figures/line_chart.h"
#include "ui/window/main_window.h"

namespace convscope::ui::test {
namespace {

figures::Figure made_up_figure(std::size_t rows = 2) {
  figures::Figure figure{"made-up", "A made-up figure", "A paper, Table 0", {}, {}, {"A note."}};
  figure.columns = {"network", "us here", "us published", "error", "share"};
  for (std::size_t r = 0; r < rows; ++r)
    figure.rows.push_back({figures::text_cell("net " + std::to_string(r)),
                           figures::number_cell(100.25 + static_cast<double>(r), "us", Origin::estimate, 0),
                           r == 1 ? figures::number_cell(std::nullopt, "us", Origin::published, 0)
                                  : figures::number_cell(90, "us", Origin::published, 0),
                           figures::difference_cell(101.25, 90), figures::number_cell(0.125, "%", Origin::derived, 1)});
  return figure;
}

TEST(FigureModel, ShowsNumbersAsPeopleReadThemWithTheirOrigins) {
  FigureModel model;
  model.set_figure(made_up_figure());
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.headerData(2, Qt::Horizontal, Qt::DisplayRole), "us published");
  EXPECT_EQ(model.data(model.index(0, 0), Qt::DisplayRole), "net 0");
  EXPECT_EQ(model.data(model.index(0, 1), Qt::DisplayRole), "100 ≈");
  EXPECT_EQ(model.data(model.index(0, 2), Qt::DisplayRole), "90 ᵖ");
  EXPECT_EQ(model.data(model.index(1, 2), Qt::DisplayRole), "");
  EXPECT_EQ(model.data(model.index(0, 4), Qt::DisplayRole), "12.5 %");
  EXPECT_TRUE(model.data(model.index(0, 1), Qt::ToolTipRole).toString().startsWith("100.25 us\n"));
}

TEST(FigureModel, CopiesAllDigitsWithTabs) {
  EXPECT_EQ(tab_separated(made_up_figure(1)),
            "network\tus here (estimate)\tus published (published)\terror (derived)\tshare (derived)\n"
            "net 0\t100.25\t90\t0.125\t0.125\n");
}

TEST(FigureChart, DrawsColumnsOfOneUnitSideBySide) {
  const figures::Figure figure = made_up_figure();
  const auto series = figure_series(figure);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].title, "us");
  EXPECT_EQ(series[0].columns, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(series[1].columns, (std::vector<std::size_t>{4}));
  const auto chart = std::dynamic_pointer_cast<const BarChart>(make_figure_chart(figure, series[0]));
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->categories.size(), 2u);
  EXPECT_EQ(chart->categories[0].name, "net 0");
  ASSERT_EQ(chart->stacks.size(), 2u);
  EXPECT_EQ(chart->stacks[0].parts[0].values[1], 101.25);
  EXPECT_EQ(chart->stacks[1].origin, Origin::published);
  EXPECT_EQ(chart->stacks[1].parts[0].fill.kind, BarFill::Kind::baseline);
  EXPECT_TRUE(std::isnan(chart->stacks[1].parts[0].values[1]));
  const auto shares = std::dynamic_pointer_cast<const BarChart>(make_figure_chart(figure, series[1]));
  EXPECT_EQ(shares->stacks[0].parts[0].values[0], 12.5);
}

TEST(FigureChart, DrawsManyRowsAsLines) {
  const figures::Figure figure = made_up_figure(200);
  const auto chart = make_figure_chart(figure, figure_series(figure)[0]);
  ASSERT_TRUE(std::dynamic_pointer_cast<const LineChart>(chart));
  QCustomPlot plot;
  style_plot(plot, light_theme());
  chart->fill(plot, light_theme());
  EXPECT_EQ(plot.graphCount(), 2);
  EXPECT_EQ(chart->targets(plot).size(), 399u);  // one of 400 cells is empty
}

TEST(FigureChart, HasNothingToDrawOfWords) {
  figures::Figure figure{"words", "Words", "", {"a"}, {{figures::text_cell("b")}}, {}};
  EXPECT_TRUE(figure_series(figure).empty());
}

TEST(FigurePainter, PutsAllUnitsOnASheet) {
  const figures::Figure figure = made_up_figure();
  const auto painter = make_figure_painter(figure);
  ASSERT_TRUE(painter);
  EXPECT_EQ(painter->csv(), figures::figure_csv(figure));
  const QRectF sheet(QPointF(), painter->preferred_size());
  QImage image(sheet.size().toSize(), QImage::Format_RGB32);
  QPainter picture(&image);
  painter->paint(picture, sheet, light_theme());
  QStringList readings;  // of the whole sheet
  for (double x = 0; x < sheet.width(); x += 4)
    for (double y = 0; y < sheet.height(); y += 4) readings << painter->reading({x, y}, sheet);
  EXPECT_FALSE(readings.filter("100").isEmpty());
  EXPECT_FALSE(readings.filter("12.5").isEmpty());
}

TEST(FigurePainter, HasNothingToDrawOfWords) {
  EXPECT_FALSE(make_figure_painter({"words", "Words", "", {"a"}, {{figures::text_cell("b")}}, {}}));
}

class FiguresWindowTest : public testing::Test {
 protected:
  void SetUp() override {
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  }
  bool idle() {
    return wait_until([&] { return !window.maker().busy(); });
  }
  bool make(const QString& id) {
    window.choose(id);
    return idle() && window.model().figure().id == id.toStdString();
  }
  template <typename Widget>
  Widget& find(const QString& name) {
    auto* widget = window.findChild<Widget*>(name);
    if (widget == nullptr) throw std::runtime_error("no widget " + name.toStdString());
    return *widget;
  }

  Workbench workbench{catalogue::standard()};
  FiguresWindow window{workbench, workbench.catalogue()};
};

TEST_F(FiguresWindowTest, ListsEveryFigureThereIs) {
  EXPECT_EQ(static_cast<std::size_t>(find<QListWidget>("figure-list").count()), figures::figure_list().size());
  EXPECT_FALSE(find<QPushButton>("figure-export").isEnabled());
}

TEST_F(FiguresWindowTest, MakesTheChosenFigureWithoutBlocking) {
  BlockWatch watch;
  ASSERT_TRUE(make("tso-table1"));
  EXPECT_LT(watch.longest_milliseconds(), 1000);
  EXPECT_GT(window.model().rowCount(), 48);
  EXPECT_TRUE(find<QLabel>("figure-source").text().contains("Table I"));
  EXPECT_GT(find<QCustomPlot>("figure-chart").plottableCount(), 1);
  EXPECT_TRUE(find<QPushButton>("figure-export").isEnabled());
}

TEST_F(FiguresWindowTest, CopiesAndExports) {
  ASSERT_TRUE(make("tso-fig1"));
  QTest::mouseClick(&find<QPushButton>("figure-copy"), Qt::LeftButton);
  EXPECT_EQ(QApplication::clipboard()->text(), tab_separated(window.model().figure()));
  QTemporaryDir folder;
  Diagnostics diagnostics;
  for (const char* suffix : {"csv", "json", "png", "svg", "pdf"}) {
    const QString file = folder.filePath(QStringLiteral("figure.") + suffix);
    EXPECT_TRUE(window.export_figure(file, diagnostics)) << suffix << diagnostics.text();
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    const QByteArray content = written.readAll();
    if (QString(suffix) == "csv") {
      EXPECT_EQ(content.toStdString(), figures::figure_csv(window.model().figure()));
    }
    if (QString(suffix) == "json") {
      EXPECT_EQ(content.toStdString(), figures::figure_json(window.model().figure()));
    }
    if (QString(suffix) == "png") {
      EXPECT_GT(QImage::fromData(content).width(), 400);
    }
  }
  EXPECT_FALSE(window.export_figure(folder.filePath("figure.doc"), diagnostics));
}

TEST_F(FiguresWindowTest, MakesWhatThePointerReadsOnceForEachPicture) {
  ASSERT_TRUE(make("tso-fig8"));
  auto& plot = find<QCustomPlot>("figure-chart");
  auto* box = dynamic_cast<FigureChartBox*>(plot.parentWidget());
  ASSERT_NE(box, nullptr);
  plot.replot(QCustomPlot::rpImmediateRefresh);
  const auto move = [&](int x) {
    const QPointF at(x, plot.height() / 2.0);
    QMouseEvent event(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&plot, &event);
  };
  const int before = box->targets_made();
  for (int x = 100; x < 140; ++x) move(x);
  EXPECT_EQ(box->targets_made(), before + 1);
  EXPECT_FALSE(box->targets().empty());
  plot.xAxis->scaleRange(0.5, plot.xAxis->range().center());
  plot.replot(QCustomPlot::rpImmediateRefresh);
  for (int x = 100; x < 140; ++x) move(x);
  EXPECT_EQ(box->targets_made(), before + 2);
}

TEST_F(FiguresWindowTest, ShowsSlotTablesWithoutAChart) {
  ASSERT_TRUE(make("nve-fig17"));
  EXPECT_GT(window.model().rowCount(), 0);
  EXPECT_EQ(find<QComboBox>("figure-series").count(), 0);
  EXPECT_FALSE(find<QCustomPlot>("figure-chart").isVisible());
  Diagnostics diagnostics;
  QTemporaryDir folder;
  EXPECT_FALSE(window.export_figure(folder.filePath("a.png"), diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST_F(FiguresWindowTest, CancelsAndGoesOn) {
  window.choose("nve-fig36");
  ASSERT_TRUE(window.maker().busy());
  QTest::mouseClick(&find<QPushButton>("figure-cancel"), Qt::LeftButton);
  ASSERT_TRUE(idle());
  EXPECT_TRUE(find<QLabel>("figure-message").text().startsWith("Cancelled"));
  EXPECT_EQ(window.model().rowCount(), 0);
  EXPECT_TRUE(make("tso-fig1"));
}

TEST_F(FiguresWindowTest, TheLastChosenFigureIsTheOneShown) {
  window.choose("nve-fig36");
  window.choose("tso-fig8");
  EXPECT_TRUE(make("tso-fig1"));
}

TEST_F(FiguresWindowTest, FollowsTheTheme) {
  ASSERT_TRUE(make("tso-fig8"));
  auto& plot = find<QCustomPlot>("figure-chart");
  EXPECT_EQ(plot.yAxis->labelColor(), light_theme().text);
  workbench.set_theme("dark");
  EXPECT_EQ(plot.yAxis->labelColor(), dark_theme().text);
}

TEST(FiguresWindowMenu, OpensOneWindow) {
  Workbench workbench{catalogue::standard()};
  MainWindow window(workbench);
  window.show();
  auto* action = window.findChild<QAction*>("published-figures");
  ASSERT_TRUE(action);
  action->trigger();
  action->trigger();
  const auto opened = window.findChildren<FiguresWindow*>();
  ASSERT_EQ(opened.size(), 1);
  EXPECT_TRUE(opened.front()->isVisible());
}

}  // namespace
}  // namespace convscope::ui::test
