// Shapes of each family of operators, and what is computed from shapes.

#include "core/network/shape_inference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/network/made_up_graph.h"

namespace convscope::network {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t open = unknown_dimension;

/// Infers and expects no contradiction.
void infer(MadeUpGraph& made, const InputSizes& sizes = {}) {
  Diagnostics diagnostics;
  infer_shapes(made.graph, sizes, "made-up", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.items())
    EXPECT_EQ(diagnostic.severity, Severity::note) << diagnostic.text();
}

/// One operator on inputs of the given shapes (float32), with its output's shape.
struct Case {
  std::string operator_name;
  std::vector<Integers> inputs;
  std::vector<MadeUpGraph::Setting> settings;
  Integers expected;
};

void PrintTo(const Case& tested, std::ostream* out) {
  *out << tested.operator_name;
}

class OneOperator : public ::testing::TestWithParam<Case> {};

TEST_P(OneOperator, HasTheShapeOfOnnx) {
  MadeUpGraph made;
  std::vector<int> inputs;
  for (const Integers& shape : GetParam().inputs) inputs.push_back(made.filled(shape));
  if (!inputs.empty()) inputs[0] = made.input("x", GetParam().inputs[0]);
  const int out = made.node(GetParam().operator_name, inputs, GetParam().settings);
  const Integers& first = GetParam().inputs[0];
  infer(made, {first.empty() ? 1 : static_cast<int>(first[0]), {}, {}});
  EXPECT_EQ(made.dimensions(out), GetParam().expected) << GetParam().operator_name;
}

const Integers image{1, 3, 32, 32};

INSTANTIATE_TEST_SUITE_P(
    Convolutions, OneOperator,
    ::testing::Values(Case{"Conv", {image, {8, 3, 3, 3}}, {}, {1, 8, 30, 30}},
                      Case{"Conv",
                           {image, {8, 3, 3, 3}},
                           {{"pads", Integers{1, 1, 1, 1}}, {"strides", Integers{2, 2}}},
                           {1, 8, 16, 16}},
                      Case{"Conv",
                           {{1, 1, 7, 5}, {1, 1, 3, 3}},
                           {{"pads", Integers{1, 0, 1, 0}}, {"strides", Integers{2, 2}}},
                           {1, 1, 4, 2}},
                      Case{"Conv",
                           {image, {8, 3, 3, 3}},
                           {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Integers{2, 2}}},
                           {1, 8, 16, 16}},
                      Case{"Conv", {image, {8, 3, 5, 3}}, {{"auto_pad", std::string("VALID")}}, {1, 8, 28, 30}},
                      Case{"Conv", {image, {8, 3, 3, 3}}, {{"dilations", Integers{2, 3}}}, {1, 8, 28, 26}},
                      Case{"Conv", {{1, 32, 9, 9}, {64, 1, 3, 3}}, {{"group", std::int64_t{32}}}, {1, 64, 7, 7}},
                      Case{"Conv", {{1, 4, 10}, {6, 4, 3}}, {{"pads", Integers{1, 2}}}, {1, 6, 11}},
                      Case{"Conv", {{1, 2, 8, 8, 8}, {4, 2, 3, 3, 3}}, {}, {1, 4, 6, 6, 6}},
                      Case{"ConvInteger", {image, {8, 3, 3, 3}}, {}, {1, 8, 30, 30}},
                      Case{"QLinearConv", {image, {}, {}, {8, 3, 1, 1}, {}, {}, {}, {}}, {}, {1, 8, 32, 32}},
                      Case{"ConvTranspose",
                           {{1, 1, 3, 3}, {1, 2, 3, 3}},
                           {{"strides", Integers{3, 2}}, {"output_padding", Integers{1, 1}}},
                           {1, 2, 10, 8}},
                      Case{"ConvTranspose",
                           {{1, 1, 3, 3}, {1, 2, 3, 3}},
                           {{"strides", Integers{3, 2}}, {"output_shape", Integers{10, 8}}},
                           {1, 2, 10, 8}},
                      Case{"ConvTranspose",
                           {{1, 1, 3, 3}, {1, 2, 3, 3}},
                           {{"auto_pad", std::string("SAME_UPPER")}, {"strides", Integers{2, 2}}},
                           {1, 2, 6, 6}}));

INSTANTIATE_TEST_SUITE_P(
    Pools, OneOperator,
    ::testing::Values(
        Case{"MaxPool", {image}, {{"kernel_shape", Integers{2, 2}}}, {1, 3, 31, 31}},
        Case{"MaxPool",
             {{1, 1, 4, 4}},
             {{"kernel_shape", Integers{3, 3}}, {"strides", Integers{2, 2}}, {"ceil_mode", std::int64_t{1}}},
             {1, 1, 2, 2}},
        Case{"MaxPool",
             {{1, 1, 2, 2}},
             {{"kernel_shape", Integers{1, 1}}, {"strides", Integers{2, 2}}, {"ceil_mode", std::int64_t{1}}},
             {1, 1, 1, 1}},
        Case{
            "MaxPool", {{1, 1, 4, 4}}, {{"kernel_shape", Integers{2, 2}}, {"dilations", Integers{2, 2}}}, {1, 1, 2, 2}},
        Case{"AveragePool", {{1, 1, 32}}, {{"kernel_shape", Integers{2}}}, {1, 1, 31}},
        Case{"AveragePool",
             {image},
             {{"kernel_shape", Integers{3, 3}}, {"auto_pad", std::string("SAME_LOWER")}, {"strides", Integers{3, 3}}},
             {1, 3, 11, 11}},
        Case{"GlobalAveragePool", {image}, {}, {1, 3, 1, 1}}, Case{"GlobalMaxPool", {{1, 3, 5}}, {}, {1, 3, 1}}));

INSTANTIATE_TEST_SUITE_P(
    Products, OneOperator,
    ::testing::Values(
        Case{"Gemm", {{4, 10}, {10, 3}}, {}, {4, 3}},
        Case{"Gemm", {{10, 4}, {3, 10}}, {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}, {4, 3}},
        Case{"MatMul", {{5, 7, 4}, {4, 2}}, {}, {5, 7, 2}}, Case{"MatMul", {{4}, {4, 2}}, {}, {2}},
        Case{"MatMul", {{3, 1, 2, 4}, {5, 4, 6}}, {}, {3, 5, 2, 6}}, Case{"MatMul", {{4}, {4}}, {}, {}}));

INSTANTIATE_TEST_SUITE_P(
    Elementwise, OneOperator,
    ::testing::Values(
        Case{"Relu", {image}, {}, image}, Case{"Add", {{3, 1, 5}, {4, 1}}, {}, {3, 4, 5}},
        Case{"Add", {{2, 3, 4}, {3}}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}}, {2, 3, 4}},
        Case{"Sum", {{3, 1}, {1, 4}, {2, 1, 1}}, {}, {2, 3, 4}}, Case{"Where", {{2, 1}, {1, 3}, {}}, {}, {2, 3}},
        Case{"Equal", {{2, 3}, {3}}, {}, {2, 3}}, Case{"Clip", {{}}, {}, {}}));

INSTANTIATE_TEST_SUITE_P(
    Reshaping, OneOperator,
    ::testing::Values(Case{"Reshape", {{2, 3, 4, 5}}, {{"shape", Integers{0, -1}}}, {2, 60}},
                      Case{"Flatten", {{2, 3, 4, 5}}, {{"axis", std::int64_t{2}}}, {6, 20}},
                      Case{"Flatten", {{2, 3, 4, 5}}, {{"axis", std::int64_t{0}}}, {1, 120}},
                      Case{"Flatten", {{2, 3, 4, 5}}, {{"axis", std::int64_t{-1}}}, {24, 5}},
                      Case{"Squeeze", {{1, 3, 1, 5}}, {}, {3, 5}},
                      Case{"Squeeze", {{1, 3, 1, 5}}, {{"axes", Integers{-2}}}, {1, 3, 5}},
                      Case{"Unsqueeze", {{3, 4}}, {{"axes", Integers{0, -1}}}, {1, 3, 4, 1}},
                      Case{"Transpose", {{2, 3, 4}}, {}, {4, 3, 2}},
                      Case{"Transpose", {{1, 2, 3, 4}}, {{"perm", Integers{0, 2, 3, 1}}}, {1, 3, 4, 2}},
                      Case{"DepthToSpace", {{1, 8, 2, 3}}, {{"blocksize", std::int64_t{2}}}, {1, 2, 4, 6}},
                      Case{"SpaceToDepth", {{1, 2, 4, 6}}, {{"blocksize", std::int64_t{2}}}, {1, 8, 2, 3}}));

INSTANTIATE_TEST_SUITE_P(
    JoiningAndSlicing, OneOperator,
    ::testing::Values(
        Case{"Concat", {{1, 2, 4}, {1, 3, 4}}, {{"axis", std::int64_t{-2}}}, {1, 5, 4}},
        Case{"Pad", {{1, 2, 3}}, {{"pads", Integers{0, 1, -1, 0, 0, 4}}}, {1, 3, 6}},
        Case{"Slice", {{10, 20}}, {{"starts", Integers{1, -3}}, {"ends", Integers{100, -1}}}, {9, 2}},
        Case{"Slice",
             {{10, 20}},
             {{"starts", Integers{2}},
              {"ends", Integers{std::numeric_limits<std::int64_t>::max()}},
              {"axes", Integers{-1}}},
             {10, 18}},
        Case{"Upsample", {{1, 3, 4, 5}}, {{"scales", Reals{1, 1, 2, 1.5}}}, {1, 3, 8, 7}},
        Case{"ReduceMean", {{2, 3, 4}}, {{"axes", Integers{1}}}, {2, 1, 4}},
        Case{"ReduceMean", {{2, 3, 4}}, {{"axes", Integers{-1, 0}}, {"keepdims", std::int64_t{0}}}, {3}},
        Case{"ReduceSum", {{2, 3, 4}}, {}, {1, 1, 1}},
        Case{"ReduceSum", {{2, 3, 4}}, {{"noop_with_empty_axes", std::int64_t{1}}}, {2, 3, 4}},
        Case{"ArgMax", {{2, 3, 4}}, {{"axis", std::int64_t{2}}, {"keepdims", std::int64_t{0}}}, {2, 3}},
        Case{"TopK", {{2, 30}}, {{"k", std::int64_t{5}}}, {2, 5}},
        Case{"NonMaxSuppression", {{1, 5, 4}, {1, 1, 5}}, {}, {open, 3}},
        Case{"Gather", {{5, 6}, {2, 3}}, {{"axis", std::int64_t{1}}}, {5, 2, 3}},
        Case{"GatherND", {{2, 3, 4}, {7, 2}}, {}, {7, 4}},
        Case{"LSTM", {{7, 2, 10}, {1, 80, 10}, {1, 80, 20}}, {{"hidden_size", std::int64_t{20}}}, {7, 1, 2, 20}}));

TEST(ShapeInference, TakesSizesFromInputs) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3, 8, 8});
  const int reshaped = made.node("Reshape", {x, made.integers({3}, {0, -1, 4})});
  const int sliced = made.node("Slice", {x, made.integers({1}, {-1}), made.integers({1}, {0}), made.integers({1}, {2}),
                                         made.integers({1}, {-3})});
  const int padded = made.node("Pad", {x, made.integers({2}, {1, 2}), -1, made.integers({1}, {3})});
  const int split = made.node("Split", {x, made.integers({2}, {1, 2})}, {{"axis", std::int64_t{1}}}, 2);
  const int resized = made.node("Resize", {x, -1, made.floats({4}, {1, 1, 0.5F, 2})});
  const int sized = made.node("Resize", {x, -1, -1, made.integers({2}, {5, 7})}, {{"axes", Integers{2, 3}}});
  const int expanded = made.node("Expand", {made.floats({3, 1}, {1, 2, 3}), made.integers({3}, {2, 1, 6})});
  const int tiled = made.node("Tile", {x, made.integers({4}, {1, 2, 1, 3})});
  const int summed = made.node("ReduceSum", {x, made.integers({2}, {2, 3})}, {{"keepdims", std::int64_t{0}}});
  const int squeezed = made.node("Squeeze", {x, made.integers({1}, {0})});
  infer(made);
  EXPECT_THAT(made.dimensions(reshaped), ElementsAre(1, 48, 4));
  EXPECT_THAT(made.dimensions(sliced), ElementsAre(1, 3, 3, 8));
  EXPECT_THAT(made.dimensions(padded), ElementsAre(1, 3, 8, 11));
  EXPECT_THAT(made.dimensions(split), ElementsAre(1, 1, 8, 8));
  EXPECT_THAT(made.dimensions(split + 1), ElementsAre(1, 2, 8, 8));
  EXPECT_THAT(made.dimensions(resized), ElementsAre(1, 3, 4, 16));
  EXPECT_THAT(made.dimensions(sized), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(made.dimensions(expanded), ElementsAre(2, 3, 6));
  EXPECT_THAT(made.dimensions(tiled), ElementsAre(1, 6, 8, 24));
  EXPECT_THAT(made.dimensions(summed), ElementsAre(1, 3));
  EXPECT_THAT(made.dimensions(squeezed), ElementsAre(3, 8, 8));
}

TEST(ShapeInference, AllowsZerosInReshape) {
  MadeUpGraph made;
  const int x = made.input("x", {0, 3});
  const int y = made.node("Reshape", {x, made.integers({2}, {3, 0})}, {{"allowzero", std::int64_t{1}}});
  infer(made);
  EXPECT_THAT(made.dimensions(y), ElementsAre(3, 0));
}

/// As PyTorch exports view(x.size(0), -1) and interpolate: shapes go through small tensors.
TEST(ShapeInference, ComputesWhatShapesAreComputedFrom) {
  MadeUpGraph made;
  const int x = made.input("x", {2, 3, 8, 6});
  const int shape = made.node("Shape", {x});
  const int batch = made.node("Gather", {shape, made.integers({}, {0})});
  const int list = made.node("Unsqueeze", {batch}, {{"axes", Integers{0}}});
  const int target = made.node("Concat", {list, made.integers({1}, {-1})}, {{"axis", std::int64_t{0}}});
  const int flat = made.node("Reshape", {x, target});
  const int space = made.node("Slice", {shape, made.integers({1}, {2}), made.integers({1}, {4})});
  const int real = made.node("Cast", {space}, {{"to", std::int64_t{1}}});
  const int half = made.node("Floor", {made.node("Mul", {real, made.floats({}, {0.75F})})});
  const int size = made.node("Cast", {half}, {{"to", std::int64_t{7}}});
  const int start = made.node("Slice", {shape, made.integers({1}, {0}), made.integers({1}, {2})});
  const int sizes = made.node("Concat", {start, size}, {{"axis", std::int64_t{0}}});
  const int resized = made.node("Resize", {x, -1, -1, sizes});
  infer(made, {2, {}, {}});
  EXPECT_THAT(made.dimensions(flat), ElementsAre(2, 144));
  EXPECT_THAT(made.dimensions(resized), ElementsAre(2, 3, 6, 4));
}

TEST(ShapeInference, KeepsOpenDimensionsOpen) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3, open, 32});
  const int conv = made.node("Conv", {x, made.filled({8, 3, 3, 3})}, {{"strides", Integers{2, 2}}});
  const int joined = made.node("Concat", {conv, conv}, {{"axis", std::int64_t{1}}});
  const int flat = made.node("Flatten", {joined});
  const int same = made.node("Reshape", {conv, made.integers({4}, {0, -1, 0, 5})});
  infer(made);
  EXPECT_THAT(made.dimensions(joined), ElementsAre(1, 16, open, 15));
  EXPECT_THAT(made.dimensions(flat), ElementsAre(1, open));
  EXPECT_THAT(made.dimensions(same), ElementsAre(1, 24, open, 5));
}

TEST(ShapeInference, SetsBatchImageAndNames) {
  MadeUpGraph made;
  const int x = made.input("x", {open, 3, open, open});
  const int words = made.input("words", {open, open});
  made.graph.tensors[static_cast<std::size_t>(words)].shape.symbols = {"N", "length"};
  infer(made, {4, Size{20, 30}, {{"length", 7}}});
  EXPECT_THAT(made.dimensions(x), ElementsAre(4, 3, 20, 30));
  EXPECT_THAT(made.dimensions(words), ElementsAre(4, 7));
}

TEST(ShapeInference, ReplacesAFixedBatchAlsoInReshape) {
  MadeUpGraph made;
  const int x = made.input("x", {3, 8, 2, 2});
  const int flat = made.node("Reshape", {x, made.integers({2}, {3, 32})});
  made.graph.tensors[static_cast<std::size_t>(flat)].shape = {true, {3, 32}, {}};
  infer(made, {1, {}, {}});
  EXPECT_THAT(made.dimensions(flat), ElementsAre(1, 32));
}

TEST(ShapeInference, LeavesWeightsThatAreInputsAlone) {
  MadeUpGraph made;
  const int x = made.input("x", {2, 3, 9, 9});
  const int quantized = made.input("w", {8, 3, 3, 3}, ElementType::int8);
  const int weights = made.node("DequantizeLinear", {quantized, made.filled({})});
  const int y = made.node("Conv", {x, weights});
  infer(made);
  EXPECT_THAT(made.dimensions(quantized), ElementsAre(8, 3, 3, 3));
  EXPECT_THAT(made.dimensions(y), ElementsAre(1, 8, 7, 7));
}

TEST(ShapeInference, KnowsElementTypes) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3, 8, 8});
  const int q = made.node("QuantizeLinear", {x, made.filled({}), made.filled({}, 0, ElementType::int8)});
  const int sum = made.node("ConvInteger", {q, made.filled({4, 3, 1, 1}, 1, ElementType::int8)});
  const int real = made.node("DequantizeLinear", {sum, made.filled({})});
  const int pool = made.node("MaxPool", {real}, {{"kernel_shape", Integers{2, 2}}}, 2);
  infer(made);
  EXPECT_EQ(made.at(q).type, ElementType::int8);
  EXPECT_EQ(made.at(sum).type, ElementType::int32);
  EXPECT_EQ(made.at(real).type, ElementType::float32);
  EXPECT_EQ(made.at(pool + 1).type, ElementType::int64);
}

TEST(ShapeInference, MakesConstantsOfShapes) {
  MadeUpGraph made;
  const int y = made.node("ConstantOfShape", {made.integers({2}, {2, 3})}, {{"value", 0.5}});
  infer(made);
  ASSERT_TRUE(made.at(y).constant);
  EXPECT_THAT(*made.at(y).constant->floats(), ::testing::Each(0.5F));
}

TEST(ShapeInference, NotesEachUnknownOperatorOnceAndTrustsTheFileBehindIt) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3, 8, 8});
  const int a = made.node("Magic", {x});
  made.graph.tensors[static_cast<std::size_t>(a)].shape = {true, {1, 5}, {}};
  const int b = made.node("Magic", {a});
  const int c = made.node("Relu", {a});
  Diagnostics diagnostics;
  infer_shapes(made.graph, {}, "made-up", diagnostics);
  ASSERT_EQ(diagnostics.items().size(), 1u);
  EXPECT_THAT(diagnostics.text(), HasSubstr("note: node 'Magic_0': operator 'Magic' is not known"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("2 nodes"));
  EXPECT_FALSE(made.at(b).shape.known);
  EXPECT_THAT(made.dimensions(c), ElementsAre(1, 5));
}

}  // namespace
}  // namespace convscope::network
