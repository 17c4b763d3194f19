#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/network/made_up_graph.h"

namespace convscope::network {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> result;
  for (const Node& node : graph.nodes) result.push_back(node.operator_name);
  return result;
}

TEST(TensorShape, CountsElements) {
  EXPECT_EQ((TensorShape{true, {2, 3, 4}, {}}.elements()), 24);
  EXPECT_EQ((TensorShape{true, {}, {}}.elements()), 1);
  EXPECT_EQ((TensorShape{true, {5, 0, element_cap}, {}}.elements()), 0);
  EXPECT_EQ((TensorShape{true, {element_cap, 1}, {}}.elements()), element_cap);
}

TEST(TensorShape, HasNoCountIfOpenNegativeOrBeyondTheCap) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  for (const std::vector<std::int64_t>& dimensions : {Integers{2, -1}, Integers{-7}, Integers{element_cap, 2},
                                                      Integers{huge, huge}, Integers{1 << 20, 1 << 20, 1 << 24}})
    EXPECT_FALSE((TensorShape{true, dimensions, {}}.elements()));
  EXPECT_FALSE(TensorShape{}.elements());
}

TEST(SortTopologically, KeepsAnOrderThatIsRight) {
  MadeUpGraph made;
  const int in = made.input("in", {1});
  const int b = made.node("B", {in});
  const int a = made.node("A", {in});
  made.node("C", {a, b});
  ASSERT_TRUE(sort_topologically(made.graph));
  EXPECT_THAT(names(made.graph), ElementsAre("B", "A", "C"));
}

TEST(SortTopologically, PutsProducersFirstAndLeavesOthersInPlace) {
  MadeUpGraph made;
  const int in = made.input("in", {1});
  const int a = made.node("A", {in});
  const int b = made.node("B", {a});
  made.node("C", {b});
  made.node("D", {in});
  std::swap(made.graph.nodes[0], made.graph.nodes[2]);
  ASSERT_TRUE(sort_topologically(made.graph));
  EXPECT_THAT(names(made.graph), ElementsAre("A", "B", "C", "D"));
}

TEST(SortTopologically, NamesACircleAndLeavesTheOrder) {
  MadeUpGraph made;
  const int in = made.input("in", {1});
  made.node("Outside", {in});
  const int a = made.node("A", {in, -1});
  const int b = made.node("B", {a});
  made.graph.nodes[1].inputs[1] = b;
  std::vector<std::string> circle;
  EXPECT_FALSE(sort_topologically(made.graph, &circle));
  EXPECT_THAT(circle, UnorderedElementsAre("A_1", "B_2"));
  EXPECT_THAT(names(made.graph), ElementsAre("Outside", "A", "B"));
}

TEST(SortTopologically, FindsANodeThatFeedsItself) {
  MadeUpGraph made;
  const int out = made.node("A", {-1});
  made.graph.nodes[0].inputs[0] = out;
  std::vector<std::string> circle;
  EXPECT_FALSE(sort_topologically(made.graph, &circle));
  EXPECT_THAT(circle, ElementsAre("A_0"));
}

TEST(SortTopologically, SortsAMillionNodesInReverse) {
  constexpr int count = 1'000'000;
  Graph graph;
  graph.tensors.resize(count + 1);
  graph.nodes.resize(count);
  for (int i = 0; i < count; ++i) {
    graph.nodes[static_cast<std::size_t>(i)].inputs = {count - i - 1};
    graph.nodes[static_cast<std::size_t>(i)].outputs = {count - i};
  }
  ASSERT_TRUE(sort_topologically(graph));
  EXPECT_THAT(graph.nodes.front().inputs, ElementsAre(0));
  EXPECT_THAT(graph.nodes.back().outputs, ElementsAre(count));
}

TEST(Graph, KnowsProducers) {
  MadeUpGraph made;
  const int in = made.input("in", {1});
  const int split = made.node("Split", {in}, {}, 2);
  made.node("Relu", {split});
  EXPECT_THAT(made.graph.producers(), ElementsAre(-1, 0, 0, 1));
}

Constant constant(ElementType type, std::vector<std::int64_t> dimensions, const std::vector<int>& bytes) {
  auto owner = std::make_shared<std::vector<std::byte>>();
  for (const int byte : bytes) owner->push_back(static_cast<std::byte>(byte));
  Constant result{type, std::move(dimensions), owner, {owner->data(), owner->size()}, {}};
  return result;
}

TEST(Constant, ConvertsFloat16) {
  const auto values = constant(ElementType::float16, {5}, {0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c, 0xff, 0x7b});
  EXPECT_THAT(*values.floats(), ElementsAre(1.0F, -2.0F, std::ldexp(1.0F, -24), INFINITY, 65504.0F));
}

TEST(Constant, ConvertsBfloat16) {
  EXPECT_THAT(*constant(ElementType::bfloat16, {2}, {0x80, 0x3f, 0x49, 0xc0}).floats(), ElementsAre(1.0F, -3.140625F));
}

TEST(Constant, ConvertsNibblesLowFirst) {
  EXPECT_THAT(*constant(ElementType::int4, {3}, {0x8f, 0x07}).integers(), ElementsAre(-1, -8, 7));
  EXPECT_THAT(*constant(ElementType::uint4, {3}, {0x8f, 0x07}).integers(), ElementsAre(15, 8, 7));
}

TEST(Constant, ConvertsIntegersAndBooleans) {
  EXPECT_THAT(*constant(ElementType::int8, {2}, {0xff, 0x7f}).integers(), ElementsAre(-1, 127));
  EXPECT_THAT(*constant(ElementType::uint16, {1}, {0xff, 0xff}).floats(), ElementsAre(65535.0F));
  EXPECT_THAT(*constant(ElementType::boolean, {2}, {0, 2}).integers(), ElementsAre(0, 1));
  EXPECT_THAT(*constant(ElementType::uint64, {1}, {255, 255, 255, 255, 255, 255, 255, 255}).integers(),
              ElementsAre(std::numeric_limits<std::int64_t>::max()));
}

TEST(Constant, NeedsNoAlignment) {
  const auto bytes = constant(ElementType::uint8, {5}, {9, 0, 0, 0x80, 0x3f});
  Constant shifted{ElementType::float32, {1}, bytes.owner, bytes.bytes.subspan(1), {}};
  EXPECT_THAT(*shifted.floats(), ElementsAre(1.0F));
}

TEST(Constant, FillsWithoutBytes) {
  const Constant filled{ElementType::float32, {2, 2}, nullptr, {}, 0.5};
  EXPECT_TRUE(filled.present());
  EXPECT_THAT(*filled.floats(), ElementsAre(0.5F, 0.5F, 0.5F, 0.5F));
}

TEST(Constant, HasNoValuesIfAbsentTooLargeOrNotNumbers) {
  EXPECT_FALSE((Constant{ElementType::float32, {2}, nullptr, {}, {}}.floats()));
  EXPECT_FALSE(constant(ElementType::float32, {2}, {0, 0, 0, 0}).floats());
  EXPECT_FALSE(constant(ElementType::string, {1}, {65}).integers());
  EXPECT_FALSE(constant(ElementType::int8, {3}, {1, 2, 3}).integers(2));
  EXPECT_FALSE((Constant{ElementType::int8, {element_cap, element_cap}, nullptr, {}, 1.0}.integers()));
  EXPECT_FALSE((Constant{ElementType::int8, {-1}, nullptr, {}, 1.0}.integers()));
}

TEST(Attributes, FallBackIfAbsentOrOfAnotherType) {
  Attributes attributes;
  attributes.set("axis", std::int64_t{2});
  attributes.set("mode", std::string("linear"));
  EXPECT_EQ(attributes.integer("axis", 0), 2);
  EXPECT_EQ(attributes.integer("mode", 7), 7);
  EXPECT_EQ(attributes.real("absent", 0.5), 0.5);
  EXPECT_EQ(attributes.text("mode"), "linear");
  EXPECT_TRUE(attributes.integers("axis").empty());
}

TEST(ElementType, HasNamesAndBits) {
  EXPECT_EQ(element_type_name(ElementType::uint4), "uint4");
  EXPECT_EQ(element_bits(ElementType::bfloat16), 16);
  EXPECT_EQ(element_bits(ElementType::string), 0);
  EXPECT_EQ(element_type_of_onnx(22), ElementType::int4);
  EXPECT_EQ(element_type_of_onnx(9), ElementType::boolean);
  EXPECT_EQ(element_type_of_onnx(-5), ElementType::other);
  EXPECT_EQ(element_type_of_onnx(1000), ElementType::other);
}

}  // namespace
}  // namespace convscope::network
