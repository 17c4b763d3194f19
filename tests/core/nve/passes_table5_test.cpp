// Utilization against the thesis's Table 5, data transfer against section 7.2.4.

#include <gtest/gtest.h>

#include "core/nve/artifacts/layer_metrics.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

struct Published {
  const char* layer;
  double automatic;
  double tolerance;
};

void expect_table5(const std::string& network, const std::vector<Published>& rows, double total) {
  const network::Network n = sample(network);
  ASSERT_EQ(n.layers.size(), rows.size());
  std::vector<artifact::Metrics> metrics;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto compiled = compile(n.layers[i], fusion);
    ASSERT_TRUE(compiled->mapped()) << compiled->reason();
    EXPECT_TRUE(compiled->metrics().verified);
    EXPECT_NEAR(figure(*compiled, "mac_per_instruction"), rows[i].automatic, rows[i].tolerance * rows[i].automatic)
        << network << " " << rows[i].layer;
    metrics.push_back(compiled->metrics());
  }
  const artifact::Metrics sum = total_metrics(metrics, Machine{});
  EXPECT_NEAR(sum.find("mac_per_instruction")->value, total, 0.02 * total);
  // The true quotient weighs by instructions, of which badly used layers have more.
  EXPECT_LT(sum.find("overall_mac_per_instruction")->value, sum.find("mac_per_instruction")->value);
}

TEST(Table5, FaceDetection) {
  expect_table5("face_detection", {{"L1", 13.39, 0.02}, {"L2", 12.06, 0.03}, {"L3", 15.53, 0.02}, {"L4", 4.87, 0.02}},
                13.7);
}

TEST(Table5, SpeedSignDetection) {
  expect_table5("speed_sign", {{"L1", 13.39, 0.02}, {"L2", 13.6, 0.02}, {"L3", 15.88, 0.02}, {"L4", 4.9, 0.02}}, 15.45);
}

// Three port A loads meet at the start of a body: 43 cycles instead of the 42 that the image register needs.
TEST(Table5, SubsampledLayersStallOncePerBody) {
  for (const char* network : {"face_detection", "speed_sign"}) {
    const auto compiled = compile(sample(network).layers.front(), modulo);
    EXPECT_EQ(compiled->task_graph(0)->initiation_interval, 43);
  }
}

// n pixel reads, ceil((n+1)/4) coefficient reads and 2n pixel writes on one port: 46 cycles for 14 inputs, 261 for 80.
TEST(Table5, OneByOneLayersAreBoundByPortA) {
  const auto face = compile(sample("face_detection").layers[3], fusion);
  const auto speed = compile(sample("speed_sign").layers[3], fusion);
  EXPECT_EQ(face->task_graph(0)->initiation_interval, 46);
  EXPECT_EQ(speed->task_graph(0)->initiation_interval, 261);
  EXPECT_EQ(face->metrics().bound.kind, "MEMA");
  EXPECT_EQ(speed->metrics().bound.kind, "MEMA");
}

TEST(DataTransfer, FusionReducesFirstLayersByMoreThanSixtyPercent) {
  for (const char* network : {"face_detection", "speed_sign"}) {
    const network::Layer layer = sample(network).layers.front();
    const double single = figure(*compile(layer, modulo), "words_transferred");
    const double fused = figure(*compile(layer, fusion), "words_transferred");
    EXPECT_LE(fused, 0.4 * single) << network;
  }
}

TEST(DataTransfer, NothingIsReusedWhereNoInputIsShared) {
  const network::Layer layer = sample("face_detection").layers[2];
  EXPECT_EQ(figure(*compile(layer, fusion), "words_transferred"), figure(*compile(layer, modulo), "words_transferred"));
}

TEST(Levels, EachOptimizationIsAtLeastAsGoodAsTheOneBefore) {
  for (const char* network : {"face_detection", "speed_sign"})
    for (const network::Layer& layer : sample(network).layers) {
      const double values[] = {figure(*compile(layer, none), "mac_per_instruction"),
                               figure(*compile(layer, packing), "mac_per_instruction"),
                               figure(*compile(layer, modulo), "mac_per_instruction")};
      EXPECT_LE(values[0], values[1] * 1.001) << network << layer.name;
      EXPECT_LT(values[1], values[2]) << network << layer.name;
    }
}

}  // namespace
}  // namespace convscope::nve::test
