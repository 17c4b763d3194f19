// The network's layout: as good as Graphviz's `dot` on networks that people know, sound on graphs that nobody draws.

#include <QLineF>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/catalogue/standard.h"
#include "netview_networks.h"
#include "network_layout_figures.h"
#include "ui/views/network/network_graph/network_drawing.h"
#include "ui/views/network/network_graph/network_graph_painter.h"

namespace convscope::ui {
namespace {

constexpr QSizeF box(100, 40);

LayeredLayout layout_of(int nodes, const std::vector<LayoutEdge>& edges) {
  return layered_layout(std::vector<QSizeF>(static_cast<std::size_t>(nodes), box), edges);
}

struct Drawn {
  const char* sample;
  NetworkDetail detail;
  double width, height, length;  ///< of dot 2.43's drawing, which has no crossings: content units, all edges
};

class NetworkLayout : public testing::TestWithParam<Drawn> {};

double length_of(const LayeredLayout& layout) {
  double length = 0;
  for (const auto& route : layout.routes)
    for (std::size_t i = 1; i < route.size(); ++i) length += QLineF(route[i - 1], route[i]).length();
  return length;
}

TEST_P(NetworkLayout, IsAsGoodAsDots) {
  const Drawn& dot = GetParam();
  Diagnostics diagnostics;
  const std::string path = std::string(CONVSCOPE_SOURCE_DIR) + "/samples/networks/" + dot.sample + ".xml";
  auto network = catalogue::standard()->read_network(path, diagnostics);
  ASSERT_TRUE(network) << diagnostics.text();
  const NetworkDrawing drawing(std::make_shared<const network::Network>(std::move(*network)), dot.detail);
  const LayeredLayout& layout = drawing.layout();
  EXPECT_EQ(test::overlaps(layout), 0);
  EXPECT_EQ(test::boxes_passed(layout), 0);
  EXPECT_EQ(test::crossings(layout, drawing.edges()), 0);
  EXPECT_LE(layout.size.width(), dot.width * 1.3) << "chains that stand upright take some width";
  EXPECT_LE(layout.size.height(), dot.height);
  EXPECT_LE(length_of(layout), dot.length);
}

INSTANTIATE_TEST_SUITE_P(Samples, NetworkLayout,
                         testing::Values(Drawn{"resnet50", NetworkDetail::blocks, 537, 8021, 12636},
                                         Drawn{"resnet50", NetworkDetail::operators, 537, 14328, 18768},
                                         Drawn{"inception_v3", NetworkDetail::blocks, 1214, 7188, 35070},
                                         Drawn{"inception_v3", NetworkDetail::operators, 1280, 13495, 48395},
                                         Drawn{"squeezenet_1_0", NetworkDetail::blocks, 537, 3261, 5651},
                                         Drawn{"squeezenet_1_0", NetworkDetail::operators, 537, 6117, 7155},
                                         Drawn{"mobilenet_v2", NetworkDetail::blocks, 354, 7664, 8861},
                                         Drawn{"mobilenet_v2", NetworkDetail::operators, 354, 12186, 12980}),
                         [](const auto& drawn) {
                           return std::string(drawn.param.sample) +
                                  (drawn.param.detail == NetworkDetail::blocks ? "_blocks" : "_operators");
                         });

TEST(NetworkLayout, ThePathWithMostBoxesStandsUpright) {
  // Two residual blocks, the second with a box on its shortcut.
  const auto layout = layout_of(9, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {3, 4}, {4, 5}, {5, 6}, {3, 7}, {6, 8}, {7, 8}});
  for (const std::size_t node : {1U, 2U, 3U, 4U, 5U, 6U, 8U})
    EXPECT_EQ(layout.boxes[node].center().x(), layout.boxes[0].center().x()) << node;
}

TEST(NetworkLayout, DisconnectedGraphsStandBesideEachOther) {
  const auto layout = layout_of(7, {{0, 1}, {1, 2}, {3, 4}, {5, 6}});
  EXPECT_EQ(test::overlaps(layout), 0);
  for (const std::size_t first : {0U, 3U, 5U}) EXPECT_EQ(layout.layers[first], 0);
}

TEST(NetworkLayout, ALayerOfAThousandIsOneRow) {
  std::vector<LayoutEdge> edges;
  for (int node = 1; node <= 1000; ++node) edges.push_back({0, node});
  for (int node = 1; node <= 1000; ++node) edges.push_back({node, 1001});
  const auto layout = layout_of(1002, edges);
  EXPECT_EQ(test::overlaps(layout), 0);
  EXPECT_EQ(test::crossings(layout, edges), 0);
}

TEST(NetworkLayout, NestedSkipsKeepOutOfBoxes) {
  std::vector<LayoutEdge> edges;
  for (int node = 1; node < 60; ++node) edges.push_back({node - 1, node});
  for (int node = 0; node < 29; ++node) edges.push_back({node, 59 - node});
  const auto layout = layout_of(60, edges);
  EXPECT_EQ(test::overlaps(layout), 0);
  EXPECT_EQ(test::boxes_passed(layout), 0);
  EXPECT_EQ(test::crossings(layout, edges), 0);
}

TEST(NetworkLayout, CellsThatReadTheTwoBeforeDoNotLean) {
  std::vector<LayoutEdge> edges{{0, 1}};
  for (int cell = 0; cell < 200; ++cell) {
    const int first = 2 + 3 * cell, before = cell == 0 ? 1 : first - 1, earlier = cell < 2 ? cell : first - 4;
    edges.insert(edges.end(), {{before, first}, {earlier, first + 1}, {first, first + 2}, {first + 1, first + 2}});
  }
  const auto layout = layout_of(602, edges);
  EXPECT_EQ(test::boxes_passed(layout), 0);
  EXPECT_LT(layout.size.width(), 600);
}

TEST(NetworkLayout, StopsWhenAsked) {
  std::vector<LayoutEdge> edges;
  for (int node = 1; node < 2000; ++node)
    for (const int reach : {1, 7, 31}) edges.push_back({std::max(0, node - reach), node});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(layered_layout(std::vector<QSizeF>(2000, box), edges, stop.get_token()), Cancelled);
}

TEST(NetworkLayout, FoldingKeepsTheSelectedBoxAtItsPlaceOnTheScreen) {
  const QRectF area(0, 0, 120, 200);  // smaller than the drawing, so that it can scroll
  Snapshot snapshot;
  snapshot.network = test::residual_network();
  const auto open = std::make_shared<const NetworkDrawing>(snapshot.network, NetworkDetail::blocks);
  const auto folded = std::make_shared<const NetworkDrawing>(snapshot.network, NetworkDetail::blocks, std::set<int>{0});
  const auto before = make_network_graph_canvas(snapshot, open), after = make_network_graph_canvas(snapshot, folded);
  const artifact::Ref chosen{6};
  before->select(chosen);
  after->select(chosen);
  before->set_viewport({false, 1, before->place_of(chosen)->center() - QPointF(60, 100)});
  EXPECT_EQ(before->subject(), after->subject());
  after->set_viewport(after->viewport_after(*before, area));
  const auto pixel = [&](const CanvasPainter& painter) {
    return place(painter.geometry(area), painter.viewport()).pixel(painter.place_of(chosen)->center());
  };
  EXPECT_LT((pixel(*before) - pixel(*after)).manhattanLength(), 1);
}

}  // namespace
}  // namespace convscope::ui
