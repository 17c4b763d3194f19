// The network's drawing: no overlaps, downward, the same every time, fast for thousands of nodes.

#include <QElapsedTimer>
#include <random>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "netview_networks.h"
#include "ui/views/network/network_graph/layout/layered_layout.h"
#include "ui/views/network/network_graph/network_boxes.h"

namespace convscope::ui {
namespace {

constexpr QSizeF node_box(100, 40);

std::vector<LayoutEdge> random_edges(int nodes, int reach, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<LayoutEdge> edges;
  for (int node = 1; node < nodes; ++node) {
    edges.push_back({std::max(0, node - 1 - static_cast<int>(random() % 3)), node});
    if (random() % 4 == 0) edges.push_back({std::max(0, node - 1 - static_cast<int>(random() % reach)), node});
  }
  return edges;
}

void expect_sound(const LayeredLayout& layout, const std::vector<LayoutEdge>& edges) {
  for (const LayoutEdge& edge : edges) {
    EXPECT_LT(layout.layers[static_cast<std::size_t>(edge.from)], layout.layers[static_cast<std::size_t>(edge.to)]);
  }
  for (std::size_t a = 0; a < layout.boxes.size(); ++a) {
    EXPECT_TRUE(QRectF(QPointF(), layout.size).contains(layout.boxes[a])) << a;
    for (std::size_t b = a + 1; b < layout.boxes.size(); ++b)
      ASSERT_FALSE(layout.boxes[a].intersects(layout.boxes[b])) << a << " and " << b;
  }
}

TEST(NetviewLayout, BoxesNeverOverlapAndEdgesGoDown) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto edges = random_edges(120, 60, seed);
    expect_sound(layered_layout(std::vector<QSizeF>(120, node_box), edges), edges);
  }
}

TEST(NetviewLayout, RoutesRunFromFootToHead) {
  const std::vector<LayoutEdge> edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  const LayeredLayout layout = layered_layout(std::vector<QSizeF>(4, node_box), edges);
  ASSERT_EQ(layout.routes.size(), 4U);
  EXPECT_EQ(layout.routes[3].front(), QPointF(layout.boxes[0].center().x(), layout.boxes[0].bottom()));
  EXPECT_EQ(layout.routes[3].back(), QPointF(layout.boxes[3].center().x(), layout.boxes[3].top()));
  // The long edge passes beside the boxes between.
  for (const QPointF& point : layout.routes[3])
    for (const int between : {1, 2}) EXPECT_FALSE(layout.boxes[static_cast<std::size_t>(between)].contains(point));
}

TEST(NetviewLayout, AChainIsAColumn) {
  const LayeredLayout layout = layered_layout(std::vector<QSizeF>(5, node_box), {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  for (const QRectF& each : layout.boxes) EXPECT_NEAR(each.center().x(), layout.boxes[0].center().x(), 1e-6);
}

TEST(NetviewLayout, SourcesStandAboveWhatTheyFeed) {
  const LayeredLayout layout = layered_layout(std::vector<QSizeF>(5, node_box), {{0, 1}, {1, 2}, {2, 4}, {3, 4}});
  EXPECT_EQ(layout.layers[3], layout.layers[4] - 1);
}

TEST(NetviewLayout, NothingAndLonelyBoxesAreFine) {
  EXPECT_TRUE(layered_layout({}, {}).boxes.empty());
  const LayeredLayout lonely = layered_layout(std::vector<QSizeF>(3, node_box), {});
  expect_sound(lonely, {});
}

TEST(NetviewLayout, SameInputSameDrawing) {
  const auto edges = random_edges(500, 100, 7);
  const std::vector<QSizeF> sizes(500, node_box);
  const LayeredLayout a = layered_layout(sizes, edges), b = layered_layout(sizes, edges);
  EXPECT_EQ(a.boxes, b.boxes);
  EXPECT_EQ(a.routes, b.routes);
}

TEST(NetviewLayout, ThousandsOfNodesTakeNoTime) {
  const auto edges = random_edges(5000, 50, 3);
  const std::vector<QSizeF> sizes(5000, node_box);
  QElapsedTimer timer;
  timer.start();
  const LayeredLayout layout = layered_layout(sizes, edges);
  EXPECT_LT(timer.elapsed(), 1000);
  EXPECT_EQ(layout.boxes.size(), 5000U);
}

TEST(NetviewLayout, EdgesAcrossEverythingStayAffordable) {
  // Every node also reads the first and feeds the last: 25 million stretches if each edge had its own lane.
  std::vector<LayoutEdge> edges;
  for (int node = 1; node < 5000; ++node) {
    edges.push_back({node - 1, node});
    edges.push_back({0, node});
    if (node < 4998) edges.push_back({node, 4999});
  }
  QElapsedTimer timer;
  timer.start();
  const LayeredLayout layout = layered_layout(std::vector<QSizeF>(5000, node_box), edges);
  EXPECT_LT(timer.elapsed(), 2000);
  std::size_t points = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    EXPECT_EQ(layout.routes[i].back().y(), layout.boxes[static_cast<std::size_t>(edges[i].to)].top());
    points = std::max(points, layout.routes[i].size());
  }
  EXPECT_LT(points, 2 * 5000U);
}

TEST(NetviewBoxes, ConvolutionNormalizationAndActivationAreOneBlock) {
  const auto network = test::residual_network();
  const NetworkBoxes blocks = network_boxes(*network, NetworkDetail::blocks);
  const int box_of_first = blocks.box_of_layer[0];
  EXPECT_EQ(blocks.box_of_layer[1], box_of_first);
  EXPECT_EQ(blocks.box_of_layer[2], box_of_first);
  EXPECT_EQ(blocks.boxes[static_cast<std::size_t>(box_of_first)].layers, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(blocks.boxes[static_cast<std::size_t>(box_of_first)].main, 0);
}

TEST(NetviewBoxes, BlocksEndWhereDataIsReadTwiceAndBeginWhereItJoins) {
  const auto network = test::residual_network();
  const NetworkBoxes blocks = network_boxes(*network, NetworkDetail::blocks);
  // Conv BN Relu | Conv BN | Add Relu, and the ends of the network.
  EXPECT_NE(blocks.box_of_layer[3], blocks.box_of_layer[2]);
  EXPECT_NE(blocks.box_of_layer[5], blocks.box_of_layer[4]);
  EXPECT_EQ(blocks.box_of_layer[6], blocks.box_of_layer[5]);
  EXPECT_EQ(blocks.boxes.size(), 5U);
  EXPECT_EQ(blocks.boxes.front().role, NetworkBox::Role::input);
  EXPECT_EQ(blocks.boxes.back().role, NetworkBox::Role::output);
  for (const NetworkFlow& flow : blocks.flows) EXPECT_LT(flow.from, flow.to);
  EXPECT_EQ(blocks.flows.size(), 5U);
}

TEST(NetviewBoxes, AllOperatorsAreABoxEach) {
  const auto network = test::residual_network();
  const NetworkBoxes all = network_boxes(*network, NetworkDetail::operators);
  EXPECT_EQ(all.boxes.size(), network->layers.size() + 2);
}

TEST(NetviewBoxes, OperatorsThatOnlyMakeWeightsGoWithTheirReader) {
  const auto network = test::network_with_made_weights();
  const NetworkBoxes blocks = network_boxes(*network, NetworkDetail::blocks);
  ASSERT_EQ(network->layers[0].operator_name, "ConstantOfShape");
  EXPECT_EQ(blocks.box_of_layer[0], blocks.box_of_layer[1]);
  EXPECT_EQ(blocks.boxes[static_cast<std::size_t>(blocks.box_of_layer[1])].constants, std::vector<int>{0});
  EXPECT_EQ(network_boxes(*network, NetworkDetail::operators).boxes.size(), blocks.boxes.size() + 1);
}

TEST(NetviewBoxes, DescriptorsAreAChain) {
  network::Network network;
  network.layers.resize(3);
  const NetworkBoxes boxes = network_boxes(network, NetworkDetail::blocks);
  EXPECT_EQ(boxes.boxes.size(), 3U);
  EXPECT_EQ(boxes.flows.size(), 2U);
}

}  // namespace
}  // namespace convscope::ui
