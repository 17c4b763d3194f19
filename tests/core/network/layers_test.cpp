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

TEST(Layers, ShowOtherConvolutionsWithoutKernelAndSaySo) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {1, 2, 4, 6, 6}), made.filled({3, 2, 3, 3, 3})});
  made.node("ConvTranspose", {made.input("y", {1, 2, 4, 4}), made.filled({2, 3, 2, 2})});
  Diagnostics diagnostics;
  const auto list = layers(made, &diagnostics);
  for (const Layer& layer : list) {
    EXPECT_EQ(layer.kernel, Size{});
    EXPECT_EQ(layer.macs(), 0);
    EXPECT_EQ(layer.out.maps, 3);
  }
  EXPECT_EQ(list[0].out, (Shape{3, {8, 4}}));
  EXPECT_EQ(diagnostics.items().size(), 2u);
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
