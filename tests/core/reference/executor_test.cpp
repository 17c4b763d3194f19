// Operators whose results are known by heart or from ONNX's documentation.

#include "core/reference/executor.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/network/made_up_graph.h"

namespace convscope::reference {
namespace {

using network::ElementType;
using network::Integers;
using network::MadeUpGraph;
using network::Reals;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Pointwise;

using Settings = std::vector<MadeUpGraph::Setting>;

FloatTensor tensor(Integers dimensions, Reals values, ElementType type = ElementType::float32) {
  return {type, std::move(dimensions), std::move(values)};
}

/// All outputs of one operator on the given inputs.
std::vector<FloatTensor> run(const std::string& name, const std::vector<FloatTensor>& values,
                             const Settings& settings = {}, int outputs = 1, int opset = 0) {
  MadeUpGraph made;
  made.graph.opset = opset;
  std::vector<int> inputs;
  FloatTensors named;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string input = "x" + std::to_string(i);
    inputs.push_back(made.input(input, values[i].dimensions, values[i].type));
    named[input] = values[i];
  }
  const int first = made.node(name, inputs, settings, outputs);
  for (int i = 0; i < outputs; ++i) made.graph.outputs.push_back(first + i);
  Diagnostics diagnostics;
  const auto result = execute(made.graph, named, diagnostics);
  EXPECT_TRUE(result.has_value()) << diagnostics.text();
  std::vector<FloatTensor> list;
  for (int i = 0; result && i < outputs; ++i) list.push_back(result->at(made.at(first + i).name));
  if (list.empty()) list.resize(static_cast<std::size_t>(outputs));
  return list;
}

Reals values(const std::string& name, const std::vector<FloatTensor>& inputs, const Settings& settings = {},
             int opset = 0) {
  return run(name, inputs, settings, 1, opset).front().values;
}

FloatTensor counting(const Integers& dimensions) {
  FloatTensor result = tensor(dimensions, {});
  std::int64_t count = 1;
  for (const std::int64_t dimension : dimensions) count *= dimension;
  for (std::int64_t i = 0; i < count; ++i) result.values.push_back(static_cast<double>(i));
  return result;
}

FloatTensor integers(const Reals& list) {
  return tensor({static_cast<std::int64_t>(list.size())}, list, ElementType::int64);
}

TEST(Executor, ConvolvesInGroupsWithBias) {
  const FloatTensor x = tensor({1, 2, 1, 3}, {1, 2, 3, 10, 20, 30});
  const FloatTensor w = tensor({2, 1, 1, 2}, {1, 1, 1, -1});
  EXPECT_THAT(values("Conv", {x, w, tensor({2}, {0.5, 0})}, {{"group", std::int64_t{2}}}),
              ElementsAre(3.5, 5.5, -10, -10));
}

TEST(Executor, TransposesConvolutions) {
  const FloatTensor x = counting({1, 1, 3, 3}), w = tensor({1, 1, 3, 3}, Reals(9, 1));
  EXPECT_THAT(values("ConvTranspose", {x, w}),
              ElementsAre(0, 1, 3, 3, 2, 3, 8, 15, 12, 7, 9, 21, 36, 27, 15, 9, 20, 33, 24, 13, 6, 13, 21, 15, 8));
}

TEST(Executor, QuantizedConvolutionsAreExact) {
  const FloatTensor x = tensor({1, 1, 1, 2}, {255, 3}, ElementType::uint8);
  const FloatTensor w = tensor({2, 1, 1, 1}, {2, -128}, ElementType::int8);
  const FloatTensor out = run("ConvInteger", {x, w, tensor({}, {1}, ElementType::uint8)}).front();
  EXPECT_EQ(out.type, ElementType::int32);
  EXPECT_THAT(out.values, ElementsAre(508, 4, -32512, -256));
}

TEST(Executor, PoolsWithDilationAndIndices) {
  const auto out =
      run("MaxPool", {counting({1, 1, 3, 3})}, {{"kernel_shape", Integers{2, 2}}, {"dilations", Integers{2, 2}}}, 2);
  EXPECT_THAT(out[0].values, ElementsAre(8));
  EXPECT_THAT(out[1].values, ElementsAre(8));
  EXPECT_EQ(out[1].type, ElementType::int64);
}

TEST(Executor, MultipliesMatrices) {
  const FloatTensor a = counting({2, 3}), b = counting({3, 2});
  EXPECT_THAT(values("MatMul", {a, b}), ElementsAre(10, 13, 28, 40));
  EXPECT_THAT(values("Gemm", {b, a, tensor({2, 1}, {100, 200})},
                     {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"alpha", 2.0}, {"beta", 0.5}}),
              ElementsAre(70, 106, 126, 180));
}

TEST(Executor, StretchesOperandsOldAndNew) {
  const FloatTensor a = counting({2, 2, 2}), b = tensor({2}, {10, 20});
  EXPECT_THAT(values("Add", {a, b}), ElementsAre(10, 21, 12, 23, 14, 25, 16, 27));
  EXPECT_THAT(values("Add", {a, b}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}, 6),
              ElementsAre(10, 11, 22, 23, 14, 15, 26, 27));
}

TEST(Executor, DividesIntegersTowardsZero) {
  EXPECT_THAT(values("Div", {integers({7, -7}), integers({2, 2})}), ElementsAre(3, -3));
  EXPECT_THAT(values("Div", {tensor({1}, {7}), tensor({1}, {2})}), ElementsAre(3.5));
  EXPECT_THAT(values("Mod", {integers({7, -7}), integers({3, 3})}), ElementsAre(1, 2));
}

TEST(Executor, RoundsToTheElementType) {
  EXPECT_EQ(values("Add", {tensor({1}, {16777216}), tensor({1}, {1})}).front(), 16777216);
  EXPECT_EQ(values("Add", {tensor({1}, {2048}, ElementType::float16), tensor({1}, {1}, ElementType::float16)}).front(),
            2048);
  EXPECT_EQ(values("Add", {integers({16777216}), integers({1})}).front(), 16777217);
}

TEST(Executor, SoftmaxMeantAllBehindTheAxisBefore13) {
  const FloatTensor x = tensor({1, 2, 2}, {0, 0, 0, 0});
  EXPECT_THAT(values("Softmax", {x}, {{"axis", std::int64_t{1}}}, 11), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(values("Softmax", {x}, {{"axis", std::int64_t{1}}}, 13), ElementsAre(0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(values("Hardmax", {tensor({1, 4}, {3, 0, 3, 2})}), ElementsAre(1, 0, 0, 0));
}

TEST(Executor, MovesElements) {
  const FloatTensor x = counting({2, 3});
  EXPECT_THAT(values("Transpose", {x}), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(values("Slice", {x, integers({-1}), integers({-10}), integers({1}), integers({-2})}),
              ElementsAre(2, 0, 5, 3));
  EXPECT_THAT(values("Concat", {x, x}, {{"axis", std::int64_t{1}}}), ElementsAre(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
  EXPECT_THAT(values("Tile", {tensor({2}, {1, 2}), integers({2})}), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(values("Expand", {tensor({2, 1}, {1, 2}), integers({2, 2})}), ElementsAre(1, 1, 2, 2));
  EXPECT_THAT(values("Reshape", {x, integers({3, -1})}), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(values("DepthToSpace", {counting({1, 4, 1, 2})}, {{"blocksize", std::int64_t{2}}}),
              ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
  EXPECT_THAT(
      values("SpaceToDepth", {tensor({1, 1, 2, 4}, {0, 2, 1, 3, 4, 6, 5, 7})}, {{"blocksize", std::int64_t{2}}}),
      ElementsAreArray(counting({8}).values));
}

TEST(Executor, DividesIntoParts) {
  const auto parts = run("Split", {counting({5})}, {}, 2);
  EXPECT_THAT(parts[0].values, ElementsAre(0, 1, 2));
  EXPECT_THAT(parts[1].values, ElementsAre(3, 4));
}

TEST(Executor, PadsInAllModes) {
  const FloatTensor x = tensor({3}, {1, 2, 3});
  const FloatTensor pads = integers({2, 2});
  EXPECT_THAT(values("Pad", {x, pads, tensor({}, {9})}), ElementsAre(9, 9, 1, 2, 3, 9, 9));
  EXPECT_THAT(values("Pad", {x, pads}, {{"mode", std::string("reflect")}}), ElementsAre(3, 2, 1, 2, 3, 2, 1));
  EXPECT_THAT(values("Pad", {x, pads}, {{"mode", std::string("edge")}}), ElementsAre(1, 1, 1, 2, 3, 3, 3));
  EXPECT_THAT(values("Pad", {x, integers({-1, 0})}), ElementsAre(2, 3));
}

TEST(Executor, PicksElements) {
  const FloatTensor x = counting({2, 3});
  EXPECT_THAT(values("Gather", {x, integers({-1, 0})}, {{"axis", std::int64_t{1}}}), ElementsAre(2, 0, 5, 3));
  EXPECT_THAT(values("GatherElements", {x, tensor({2, 1}, {2, 0}, ElementType::int64)}, {{"axis", std::int64_t{1}}}),
              ElementsAre(2, 3));
  EXPECT_THAT(values("GatherND", {x, tensor({2, 2}, {0, 1, 1, 2}, ElementType::int64)}), ElementsAre(1, 5));
  EXPECT_THAT(
      values("ScatterND", {tensor({3}, {0, 0, 0}), tensor({2, 1}, {2, 0}, ElementType::int64), tensor({2}, {7, 8})}),
      ElementsAre(8, 0, 7));
  EXPECT_THAT(values("OneHot", {integers({1, -1}), integers({3}), tensor({2}, {0, 5})}), ElementsAre(0, 5, 0, 0, 0, 5));
  EXPECT_THAT(values("CumSum", {tensor({3}, {1, 2, 3}), integers({0})},
                     {{"reverse", std::int64_t{1}}, {"exclusive", std::int64_t{1}}}),
              ElementsAre(5, 3, 0));
  const auto top = run("TopK", {tensor({4}, {3, 9, 3, 1}), integers({3})}, {}, 2);
  EXPECT_THAT(top[0].values, ElementsAre(9, 3, 3));
  EXPECT_THAT(top[1].values, ElementsAre(1, 0, 2));
}

TEST(Executor, Reduces) {
  const FloatTensor x = tensor({2, 2}, {1, -2, 3, 4});
  EXPECT_THAT(values("ReduceSum", {x, integers({0})}), ElementsAre(4, 2));
  EXPECT_THAT(values("ReduceMean", {x}, {{"axes", Integers{-1}}}), ElementsAre(-0.5, 3.5));
  EXPECT_THAT(values("ReduceMax", {x}), ElementsAre(4));
  EXPECT_THAT(values("ReduceL1", {x}), ElementsAre(10));
  EXPECT_THAT(values("ReduceProd", {x}), ElementsAre(-24));
  EXPECT_NEAR(values("ReduceLogSumExp", {tensor({2}, {1000, 1000})}).front(), 1000 + std::log(2.0), 1e-3);
  EXPECT_THAT(values("ArgMin", {x}, {{"axis", std::int64_t{1}}}), ElementsAre(1, 0));
}

TEST(Executor, Resizes) {
  const FloatTensor x = tensor({1, 1, 1, 2}, {0, 4});
  const FloatTensor scales = tensor({4}, {1, 1, 1, 2}), none = tensor({0}, {});
  EXPECT_THAT(values("Upsample", {x, scales}), ElementsAre(0, 0, 4, 4));
  EXPECT_THAT(values("Resize", {x, none, scales}, {{"mode", std::string("linear")}}), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(
      values("Resize", {x, none, scales},
             {{"mode", std::string("linear")}, {"coordinate_transformation_mode", std::string("align_corners")}}),
      Pointwise(DoubleNear(1e-5), Reals{0, 4.0 / 3, 8.0 / 3, 4}));
}

TEST(Executor, QuantizesToTheNearestEven) {
  const FloatTensor x = tensor({5}, {0.5, 1.5, -300, 2.5, 300});
  const FloatTensor q = run("QuantizeLinear", {x, tensor({}, {1}), tensor({}, {10}, ElementType::uint8)}).front();
  EXPECT_EQ(q.type, ElementType::uint8);
  EXPECT_THAT(q.values, ElementsAre(10, 12, 0, 12, 255));
  EXPECT_THAT(values("DequantizeLinear", {q, tensor({}, {0.5}), tensor({}, {10}, ElementType::uint8)}),
              ElementsAre(0, 1, -5, 1, 122.5));
  const auto dynamic = run("DynamicQuantizeLinear", {tensor({6}, {0, 2, -3, -2.5, 1.34, 0.5})}, {}, 3);
  EXPECT_THAT(dynamic[0].values, ElementsAre(153, 255, 0, 26, 221, 179));
  EXPECT_THAT(dynamic[2].values, ElementsAre(153));
}

TEST(Executor, RunsGraphsAndFreesWhatIsUsedUp) {
  MadeUpGraph made;
  int x = made.input("x", {1000});
  for (int i = 0; i < 50; ++i) x = made.node("Add", {x, made.filled({})});
  made.graph.outputs = {x};
  Diagnostics diagnostics;
  const auto out = execute(made.graph, {{"x", counting({1000})}}, diagnostics, {2500, 1 << 20});
  ASSERT_TRUE(out.has_value()) << diagnostics.text();
  EXPECT_EQ(out->at(made.at(x).name).values[7], 57);
}

}  // namespace
}  // namespace convscope::reference
