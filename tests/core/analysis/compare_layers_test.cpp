// Which layer is which: what is paired, and what is not.

#include "core/analysis/compare_layers.h"

#include <gtest/gtest.h>

namespace convscope::analysis {
namespace {

LayerIdentity layer(const std::string& name, int maps = 8, const std::string& kind = "Conv") {
  LayerIdentity identity;
  identity.name = name;
  identity.operator_name = kind;
  identity.in = {maps, {16, 16}};
  identity.out = {maps, {14, 14}};
  identity.kernel = {3, 3};
  return identity;
}

std::vector<int> pairs(const LayerMatching& matching) {
  std::vector<int> others;
  for (const LayerMatch& match : matching.layers) others.push_back(match.other);
  return others;
}

TEST(MatchLayers, SameNameWhateverTheOrderAndTheShape) {
  const auto matching = match_layers({layer("a"), layer("b"), layer("c")}, {layer("c"), layer("a", 16), layer("b")});
  EXPECT_EQ(pairs(matching), (std::vector<int>{1, 2, 0}));
  EXPECT_EQ(matching.others, (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(matching.matched, 3);
  EXPECT_FALSE(matching.layers[0].same_shape);
  EXPECT_TRUE(matching.layers[1].same_shape);
  EXPECT_EQ(matching.layers[0].by, LayerMatch::By::name);
}

TEST(MatchLayers, WithoutANameTheSameShapeInOrder) {
  const auto matching =
      match_layers({layer("a"), layer("b", 32), layer("c")}, {layer("x"), layer("y"), layer("z", 32), layer("w")});
  EXPECT_EQ(pairs(matching), (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(matching.layers[1].by, LayerMatch::By::shape);
  EXPECT_TRUE(matching.layers[1].same_shape);
  EXPECT_EQ(matching.others, (std::vector<int>{0, 2, 1, -1}));
}

TEST(MatchLayers, NamesComeFirstThoughAShapeStandsEarlier) {
  const auto matching = match_layers({layer("a"), layer("b")}, {layer("b"), layer("x")});
  EXPECT_EQ(pairs(matching), (std::vector<int>{1, 0}));
  EXPECT_EQ(matching.layers[0].by, LayerMatch::By::shape);
  EXPECT_EQ(matching.layers[1].by, LayerMatch::By::name);
}

TEST(MatchLayers, RepeatedNamesPairInOrder) {
  const auto matching = match_layers({layer("a"), layer("a")}, {layer("a"), layer("a"), layer("a")});
  EXPECT_EQ(pairs(matching), (std::vector<int>{0, 1}));
}

TEST(MatchLayers, OtherOperatorsAndOtherShapesDoNotPair) {
  const auto matching = match_layers({layer("a"), layer("b", 4)}, {layer("a", 8, "MaxPool"), layer("c", 5)});
  EXPECT_EQ(pairs(matching), (std::vector<int>{-1, -1}));
  EXPECT_EQ(matching.matched, 0);
}

TEST(MatchLayers, EmptyNetworksMatchNothing) {
  EXPECT_EQ(match_layers({}, {}).matched, 0);
  EXPECT_EQ(match_layers({layer("a")}, {}).layers.size(), 1u);
  EXPECT_EQ(match_layers({}, {layer("a")}).others, std::vector<int>{-1});
}

TEST(MatchLayers, LargeNetworksOfOneShapeTakeNoTime) {
  std::vector<LayerIdentity> here, there;
  for (int i = 0; i < 10000; ++i) {
    here.push_back(layer("a" + std::to_string(i)));
    there.push_back(layer("b" + std::to_string(i)));
  }
  const auto matching = match_layers(here, there);
  EXPECT_EQ(matching.matched, 10000);
  EXPECT_EQ(matching.layers[7777].other, 7777);
}

}  // namespace
}  // namespace convscope::analysis
