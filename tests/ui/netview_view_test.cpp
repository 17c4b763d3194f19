// The network view: what is hit, read, marked and exported, and the widget around it.

#include <QApplication>
#include <QComboBox>
#include <QElapsedTimer>
#include <QTest>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "netview_networks.h"
#include "tests/ui/session.h"
#include "ui/parts/canvas/canvas_panel.h"
#include "ui/views/network/network_graph/network_graph_painter.h"
#include "ui/words/layer_facts.h"
#include "views_fixture.h"

namespace convscope::ui {
namespace {

const QString network_file = QStringLiteral(CONVSCOPE_SOURCE_DIR "/tests/models/onnx/small_network.onnx");

/// Every layer mapped but those whose operator is named.
Snapshot snapshot_of(std::shared_ptr<const network::Network> network, const std::string& unmapped = {}) {
  Snapshot snapshot = test::made_up_snapshot();
  auto run = std::make_shared<engine::CompiledNetwork>(*snapshot.compiled);
  run->network = network;
  run->layers.clear();
  for (const network::Layer& layer : network->layers) {
    const bool refused = layer.operator_name == unmapped;
    run->layers.push_back(std::make_shared<test::MadeUpLayer>(refused ? "no unit for it, \"none\"" : ""));
  }
  snapshot.compiled = run;
  snapshot.network = std::move(network);
  return snapshot;
}

std::unique_ptr<NetworkGraphPainter> painter_of(const Snapshot& snapshot, NetworkDetail detail) {
  auto canvas = make_network_graph_canvas(snapshot, detail);
  auto* painter = dynamic_cast<NetworkGraphPainter*>(canvas.get());
  if (painter) canvas.release();
  return std::unique_ptr<NetworkGraphPainter>(painter);
}

const QRectF area(0, 0, 900, 700);

QPointF middle_of(const NetworkGraphPainter& painter, int layer) {
  const Placement placed = place(painter.geometry(area), painter.viewport());
  return placed.pixel(painter.scene().drawing().place(painter.scene().drawing().box_of(layer)).center());
}

TEST(NetviewPainter, ABoxIsHitWhereItIsDrawn) {
  const auto painter = painter_of(snapshot_of(test::residual_network()), NetworkDetail::operators);
  ASSERT_NE(painter, nullptr);
  for (int layer = 0; layer < 7; ++layer) {
    const auto hit = painter->hit(middle_of(*painter, layer), area);
    ASSERT_TRUE(hit) << layer;
    EXPECT_EQ(hit->layer, layer);
  }
  EXPECT_FALSE(painter->hit(area.bottomRight() - QPointF(2, 2), area));
  EXPECT_FALSE(painter->hit(QPointF(20, 5), area));  // the legend
}

TEST(NetviewPainter, ABlockStandsForItsConvolution) {
  const auto painter = painter_of(snapshot_of(test::residual_network()), NetworkDetail::blocks);
  EXPECT_EQ(painter->hit(middle_of(*painter, 2), area)->layer, 0);
  EXPECT_EQ(painter->scene().operators(painter->scene().drawing().box_of(0)), "Conv + BatchNormalization + Relu");
}

TEST(NetviewPainter, ReadingsTellEverythingAboutALayer) {
  const auto painter = painter_of(snapshot_of(test::residual_network()), NetworkDetail::operators);
  const QString reading = painter->reading(middle_of(*painter, 0), area);
  EXPECT_TRUE(reading.contains("1 x 8 x 16 x 16")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("3 x 3 kernel, stride 1 x 1")) << reading.toStdString();
  EXPECT_TRUE(reading.contains("MACs") && reading.contains("parameters") && reading.contains("bytes out"));
  EXPECT_TRUE(reading.contains("500 cycles") && reading.contains("utilization 50.0 %"));
}

TEST(NetviewPainter, UnmappedLayersGiveTheirReasonAndLookDifferent) {
  const auto network = test::residual_network();
  const auto mapped = painter_of(snapshot_of(network), NetworkDetail::blocks);
  const auto unmapped = painter_of(snapshot_of(network, "Conv"), NetworkDetail::blocks);
  const auto partly = painter_of(snapshot_of(network, "BatchNormalization"), NetworkDetail::blocks);
  const int block = mapped->scene().drawing().box_of(0);
  EXPECT_EQ(mapped->scene().state(block), BoxState::mapped);
  EXPECT_EQ(unmapped->scene().state(block), BoxState::unmapped);
  EXPECT_EQ(partly->scene().state(block), BoxState::partly);
  EXPECT_TRUE(unmapped->reading(middle_of(*unmapped, 0), area).contains("not mapped: no unit for it"));
  const QSize size = area.size().toSize();
  EXPECT_NE(test::painted(*mapped, size, light_theme()), test::painted(*unmapped, size, light_theme()));
  EXPECT_NE(test::painted(*mapped, size, light_theme()), test::painted(*partly, size, light_theme()));
}

TEST(NetviewPainter, SelectionIsMarkedAndFound) {
  Snapshot snapshot = snapshot_of(test::residual_network());
  const auto painter = painter_of(snapshot, NetworkDetail::blocks);
  const QImage before = test::painted(*painter, area.size().toSize(), light_theme());
  artifact::Ref last;
  last.layer = 6;
  painter->select(last);
  EXPECT_NE(test::painted(*painter, area.size().toSize(), light_theme()), before);
  ASSERT_TRUE(painter->place_of(last));
  EXPECT_TRUE(
      painter->place_of(last)->contains(painter->scene().drawing().place(painter->scene().drawing().box_of(5))));
  last.layer = 99;
  EXPECT_FALSE(painter->place_of(last));
}

TEST(NetviewPainter, TableHasARowPerOperator) {
  const auto network = test::residual_network();
  const auto painter = painter_of(snapshot_of(network, "Relu"), NetworkDetail::blocks);
  const auto widths = test::csv_widths(painter->csv());
  ASSERT_EQ(widths.size(), network->layers.size() + 1);
  for (const std::size_t width : widths) EXPECT_EQ(width, widths.front());
  EXPECT_NE(painter->csv().find("\"no unit for it, \"\"none\"\"\""), std::string::npos);
}

TEST(NetviewPainter, ANetworkIsShownBeforeItIsCompiled) {
  Snapshot snapshot;
  snapshot.network = test::residual_network();
  const auto painter = painter_of(snapshot, NetworkDetail::blocks);
  ASSERT_NE(painter, nullptr);
  EXPECT_EQ(painter->scene().state(painter->scene().drawing().box_of(0)), BoxState::unknown);
}

TEST(NetviewPainter, FiguresOfAnotherNetworkAreNotShown) {
  Snapshot snapshot = snapshot_of(test::residual_network());
  snapshot.network = test::long_network(4);
  const auto painter = painter_of(snapshot, NetworkDetail::blocks);
  EXPECT_EQ(painter->scene().result(0), nullptr);
}

TEST(NetviewPainter, LargeNetworksArePreparedAndPaintedInTime) {
  const Snapshot snapshot = snapshot_of(test::long_network(2500));
  QElapsedTimer timer;
  timer.start();
  const auto painter = painter_of(snapshot, NetworkDetail::operators);
  EXPECT_LT(timer.restart(), 2000);
  painter->set_viewport({false, 1, QPointF(0, 200000)});
  test::painted(*painter, QSize(1920, 1080), light_theme());
  EXPECT_LT(timer.elapsed(), 1000);
}

TEST(NetviewFacts, ParametersAndBytesComeFromTheNetwork) {
  const auto network = test::residual_network();
  EXPECT_EQ(parameter_count(*network, 0), network->layers[0].coefficients());
  EXPECT_EQ(parameter_count(*network, 1), 4 * 8);
  EXPECT_EQ(parameter_count(*network, 2), 0);
  EXPECT_EQ(output_bytes(*network, 2), std::int64_t{8 * 16 * 16 * 4});
}

TEST(NetviewFacts, OpenDimensionsAreNamedOrMarked) {
  EXPECT_EQ(shape_text({true, {network::unknown_dimension, 3, network::unknown_dimension}, {"batch"}}),
            "batch x 3 x ?");
  EXPECT_EQ(shape_text({}), "unknown");
}

class NetviewWidget : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(test::open_and_wait(workbench, network_file));
    panel->resize(700, 500);
    panel->show();
    ASSERT_TRUE(test::wait_until([&] { return painter() != nullptr; }));
  }
  NetworkGraphPainter* painter() { return dynamic_cast<NetworkGraphPainter*>(panel->canvas().painter()); }

  Workbench workbench{catalogue::standard()};
  std::unique_ptr<CanvasPanel> panel{dynamic_cast<CanvasPanel*>(make_network_graph_widget(workbench, nullptr))};
};

TEST_F(NetviewWidget, OpensAnOnnxFileAndShowsItsOperators) {
  EXPECT_NE(workbench.network()->graph, nullptr);
  EXPECT_GE(painter()->scene().drawing().content().boxes.size(), 3U);
}

TEST_F(NetviewWidget, DetailUnfoldsBlocks) {
  const auto blocks = painter()->scene().drawing().content().boxes.size();
  panel->findChild<QComboBox*>("network_detail")->setCurrentIndex(1);
  ASSERT_TRUE(test::wait_until([&] { return painter()->scene().drawing().content().boxes.size() > blocks; }));
}

TEST_F(NetviewWidget, AClickSelectsTheLayer) {
  const int layer = painter()->scene().drawing().content().boxes[2].main;
  ASSERT_GE(layer, 0);
  panel->canvas().fit();
  const QRectF seen(QPointF(), QSizeF(panel->canvas().viewport()->size()));
  const Placement placed = place(painter()->geometry(seen), painter()->viewport());
  const QPointF point =
      placed.pixel(painter()->scene().drawing().place(painter()->scene().drawing().box_of(layer)).center());
  QTest::mouseClick(panel->canvas().viewport(), Qt::LeftButton, {}, point.toPoint());
  EXPECT_EQ(workbench.snapshot().selection.layer, layer);
}

TEST_F(NetviewWidget, NewFiguresKeepTheDrawingAndItsViewport) {
  const auto boxes = painter()->scene().drawing().content().boxes.size();
  panel->canvas().zoom(1.5);
  const Viewport before = painter()->viewport();
  const NetworkGraphPainter* old = painter();
  workbench.recompile();
  ASSERT_TRUE(test::wait_until([&] { return painter() != old && !workbench.busy(); }));
  EXPECT_EQ(painter()->scene().drawing().content().boxes.size(), boxes);
  EXPECT_EQ(painter()->viewport().zoom, before.zoom);
}

}  // namespace
}  // namespace convscope::ui
