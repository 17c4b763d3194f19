#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "tests/core/network/made_up_graph.h"

namespace convscope::network {
namespace {

std::vector<Layer> layers(MadeUpGraph& made, Diagnostics* findings = nullptr) {
  Diagnostics diagnostics;
  infer_shapes(made.graph, {}, "made-up", diagnostics);
  if (findings) *findings = diagnostics;
  return layers_of(made.graph);
}

TEST(Layers, OfConvolutionsHaveGeometry) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 32, 20, 10});
  made.node("Conv", {x, made.filled({64, 1, 3, 5})},
            {{"group", std::int64_t{32}},
             {"strides", Integers{2, 1}},
             {"dilations", Integers{1, 2}},
             {"pads", Integers{0, 4, 1, 4}}});
  const Layer layer = layers(made).at(0);
  EXPECT_EQ(layer.in, (Shape{32, {20, 10}}));
  EXPECT_EQ(layer.out, (Shape{64, {10, 10}}));
  EXPECT_EQ(layer.kernel, (Size{3, 5}));
  EXPECT_EQ(layer.stride, (Size{2, 1}));
  EXPECT_EQ(layer.dilation, (Size{1, 2}));
  EXPECT_EQ(layer.padding, (Padding{0, 4, 1, 4}));
  EXPECT_EQ(layer.groups, 32);
  EXPECT_TRUE(layer.dense);
  EXPECT_EQ(layer.macs(), 64 * 15 * 100);
  EXPECT_EQ(layer.inputs_of(3), std::vector<int>{1});
}

TEST(Layers, HaveTheirPaddingFromAutoPadToo) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 1, 5, 5});
  for (const char* name : {"SAME_UPPER", "SAME_LOWER"})
    made.node("Conv", {x, made.filled({1, 1, 2, 2})}, {{"auto_pad", std::string(name)}});
  const auto list = layers(made);
  EXPECT_EQ(list[0].padding, (Padding{0, 0, 1, 1}));
  EXPECT_EQ(list[1].padding, (Padding{1, 1, 0, 0}));
  EXPECT_EQ(list[1].out.size, (Size{5, 5}));
}

TEST(Layers, OfOneDimensionHaveHeightOne) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {1, 4, 10}), made.filled({6, 4, 3})}, {{"pads", Integers{1, 2}}});
  const Layer layer = layers(made).at(0);
  EXPECT_EQ(layer.in, (Shape{4, {1, 10}}));
  EXPECT_EQ(layer.out, (Shape{6, {1, 11}}));
  EXPECT_EQ(layer.kernel, (Size{1, 3}));
  EXPECT_EQ(layer.padding, (Padding{0, 1, 0, 2}));
}

TEST(Layers, CountOtherConvolutionsWithTheirTrueSizes) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {1, 2, 4, 6, 7}), made.filled({3, 2, 1, 2, 3})},
            {{"pads", Integers{1, 0, 2, 0, 0, 0}}, {"strides", Integers{1, 2, 1}}});
  made.node("ConvTranspose", {made.input("y", {1, 2, 4, 4}), made.filled({2, 3, 2, 5})}, {{"strides", Integers{2, 1}}});
  Diagnostics diagnostics;
  const auto list = layers(made, &diagnostics);
  EXPECT_EQ(list[0].kernel, Size{});
  EXPECT_EQ(list[0].in_dimensions(), (std::vector<int>{2, 4, 6, 7}));
  EXPECT_EQ(list[0].out_dimensions(), (std::vector<int>{3, 5, 3, 7}));
  EXPECT_EQ(list[0].space.kernel, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(list[0].space.stride, (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(list[0].space.padding, (std::vector<int>{1, 0, 2, 0, 0, 0}));
  EXPECT_EQ(list[0].macs(), (3 * 5 * 3 * 7) * (2 * 1 * 2 * 3));
  EXPECT_EQ(list[0].coefficients(), 3 * 2 * 6 + 3);
  EXPECT_EQ(list[0].why_no_kernel(), "it convolves over 3 dimensions");
  EXPECT_EQ(list[1].in_dimensions(), (std::vector<int>{2, 4, 4}));
  EXPECT_EQ(list[1].space.kernel, (std::vector<int>{2, 5}));
  EXPECT_EQ(list[1].macs(), (2 * 4 * 4) * (3 * 2 * 5));  // each input with each of its taps
  EXPECT_THAT(list[1].why_no_kernel(), testing::HasSubstr("transposed"));
  EXPECT_EQ(diagnostics.items().size(), 2u);
}

TEST(Layers, CountGroupsAndDepthOnce) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {7, 4, 3, 3, 3}), made.filled({8, 1, 2, 2, 2})}, {{"group", std::int64_t{4}}});
  made.node("ConvTranspose", {made.input("y", {1, 4, 3, 3}), made.filled({4, 5, 2, 2})}, {{"group", std::int64_t{2}}});
  made.node("DeformConv", {made.input("z", {1, 2, 5, 5}), made.filled({3, 2, 3, 3}), made.input("o", {1, 18, 3, 3})});
  const auto list = layers(made);
  EXPECT_EQ(list[0].macs(), 8 * 8 * 8);
  EXPECT_EQ(list[1].macs(), 4 * 9 * 5 * 4);
  EXPECT_EQ(list[2].macs(), 3 * 9 * 2 * 9);
  EXPECT_EQ(list[2].kernel, Size{});
  EXPECT_THAT(list[2].why_no_kernel(), testing::HasSubstr("deformable"));
}

TEST(Layers, CountProductsOfComputedTensorsAndRecurrentOnes) {
  MadeUpGraph made;
  const int stack = made.input("stack", {2, 7, 100});
  made.node("MatMul", {stack, made.node("Transpose", {stack}, {{"perm", Integers{0, 2, 1}}})});
  made.node("LSTM", {made.input("x", {5, 3, 10}), made.filled({1, 4 * 6, 10}), made.filled({1, 4 * 6, 6})},
            {{"hidden_size", std::int64_t{6}}});
  const auto list = layers(made);
  EXPECT_EQ(list[1].macs(), 7 * 7 * 100);
  EXPECT_EQ(list[1].images, 2);
  EXPECT_EQ(list[1].why_no_kernel(), "it multiplies computed tensors");
  EXPECT_EQ(list[2].macs(), 5 * (4 * 6 * (10 + 6)));
  EXPECT_EQ(list[2].images, 3);
}

TEST(Layers, OfUnknownSizeHaveUnknownMacs) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {1, 3, -1, 8}), made.filled({4, 3, 3, 3})});
  made.node("ConvTranspose", {made.input("y", {1, 3, 8, -1}), made.filled({3, 4, 3, 3})});
  made.node("MatMul", {made.input("a", {1, -1, 8}), made.input("b", {1, 8, 3})});
  made.node("Relu", {made.input("z", {1, -1, -1, -1})});
  made.node("Conv", {made.input("batch", {-1, 3, 8, 8}), made.filled({4, 3, 3, 3})});
  const auto list = layers(made);
  for (const std::size_t unknown : {0u, 1u, 2u}) EXPECT_FALSE(list[unknown].macs_known()) << list[unknown].name;
  for (const std::size_t known : {3u, 4u}) EXPECT_TRUE(list[known].macs_known()) << list[known].name;
  EXPECT_EQ(list[0].kernel, (Size{3, 3}));
  EXPECT_THAT(list[1].why_no_kernel(), testing::HasSubstr("shape is not known"));
}

Network network_of(MadeUpGraph& made, const InputSizes& sizes) {
  Network network;
  network.graph = std::make_shared<const Graph>(made.graph);
  Diagnostics diagnostics;
  set_shapes(network, sizes, diagnostics);
  return network;
}

TEST(Layers, AreThoseOfOneImageWhateverTheBatch) {
  MadeUpGraph made;
  const int x = made.input("x", {20, 3, 8, 8});
  const int maps = made.node("Conv", {x, made.filled({4, 3, 3, 3})});
  made.node("Gemm", {made.node("Flatten", {maps}), made.filled({144, 10})});
  const Network stated = network_of(made, {stated_batch, {}, {}}), one = network_of(made, {}),
                four = network_of(made, {4, {}, {}});
  EXPECT_EQ(stated.batch, 20);
  EXPECT_EQ(one.batch, 1);
  EXPECT_EQ(four.batch, 4);
  EXPECT_EQ(one.batch_graph, nullptr);
  EXPECT_EQ(one.graph->tensors[static_cast<std::size_t>(maps)].shape.dimensions, (Integers{1, 4, 6, 6}));
  EXPECT_EQ(four.whole_graph()->tensors[static_cast<std::size_t>(maps)].shape.dimensions, (Integers{4, 4, 6, 6}));
  ASSERT_EQ(stated.layers.size(), 3u);
  for (std::size_t i = 0; i < stated.layers.size(); ++i) {
    EXPECT_EQ(stated.layers[i].images, 20);
    EXPECT_EQ(four.layers[i].images, 4);
    EXPECT_EQ(one.layers[i].images, 1);
    EXPECT_EQ(stated.layers[i].macs(), one.layers[i].macs());
    EXPECT_EQ(four.layers[i].in, one.layers[i].in);
  }
}

TEST(Layers, OfVolumesAndFeaturesHaveABatchToo) {
  MadeUpGraph volumes, features, open;
  volumes.node("Conv", {volumes.input("x", {2, 3, 4, 4, 4}), volumes.filled({4, 3, 3, 3, 3})});
  features.node("Gemm", {features.input("x", {9, 144}), features.filled({144, 10})});
  open.node("Gemm", {open.input("x", {-1, 144}), open.filled({144, 10})});
  EXPECT_EQ(network_of(volumes, {stated_batch, {}, {}}).layers[0].images, 2);
  EXPECT_EQ(network_of(volumes, {5, {}, {}}).layers[0].images, 5);
  EXPECT_EQ(network_of(features, {stated_batch, {}, {}}).batch, 9);
  EXPECT_EQ(network_of(open, {stated_batch, {}, {}}).batch, 1);
  EXPECT_EQ(network_of(open, {6, {}, {}}).layers[0].images, 6);
}

TEST(Layers, RunAsOftenAsTheirOwnFirstDimensionSays) {
  MadeUpGraph made;  // regions of interest of one image
  made.node("Gemm", {made.node("Reshape", {made.input("x", {1, 30, 4, 4}), made.integers({2}, {30, 16})}),
                     made.filled({16, 10})});
  const Network network = network_of(made, {});
  EXPECT_EQ(network.batch, 1);
  EXPECT_EQ(network.layers.back().macs(), 160);
  EXPECT_EQ(network.layers.back().images, 30);
}

TEST(Layers, OfProductsAreOneByOneConvolutions) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 100});
  made.node("Gemm", {x, made.filled({10, 100})}, {{"transB", std::int64_t{1}}});
  const int stack = made.input("stack", {1, 7, 100});
  made.node("MatMul", {stack, made.node("Cast", {made.filled({100, 20})}, {{"to", std::int64_t{1}}})});
  made.node("MatMul", {stack, made.node("Transpose", {stack}, {{"perm", Integers{0, 2, 1}}})});
  const auto list = layers(made);
  EXPECT_EQ(list[0].macs(), 1000);
  EXPECT_EQ(list[0].kernel, (Size{1, 1}));
  EXPECT_EQ(list[2].out, (Shape{20, {1, 7}}));
  EXPECT_EQ(list[2].macs(), 100 * 20 * 7);
  EXPECT_EQ(list[4].kernel, Size{});
  EXPECT_EQ(list[4].macs(), 7 * 7 * 100);
}

TEST(Layers, ReadTheirFirstComputedInput) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3, 4, 5});
  made.node("Add", {made.filled({3, 1, 1}), x});
  const Layer layer = layers(made).at(0);
  EXPECT_EQ(layer.operator_name, "Add");
  EXPECT_EQ(layer.in, (Shape{3, {4, 5}}));
  EXPECT_EQ(layer.macs(), 0);
  EXPECT_EQ(layer.node, 0);
}

TEST(Layers, HaveNamesOfTheirOwn) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3});
  for (int i = 0; i < 4; ++i) made.node("Relu", {x});
  made.graph.nodes[1].name = made.graph.nodes[0].name;
  made.graph.nodes[2].name = "";
  made.graph.nodes[3].name = "Relu_2";
  std::set<std::string> names;
  for (const Layer& layer : layers(made)) names.insert(layer.name);
  EXPECT_EQ(names.size(), 4u);
  EXPECT_EQ(names.count("Relu_2"), 1u);
}

TEST(Layers, WithMacsBeyondANumberHaveNoGeometry) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 1 << 15, 1 << 9, 1 << 9});
  made.node("Conv", {x, made.filled({1 << 15, 1 << 15, 1, 1})});
  EXPECT_EQ(layers(made).at(0).kernel, Size{});
}

}  // namespace
}  // namespace convscope::network
