// Graphs that contradict themselves or want to do harm: findings that name node and shapes, never a crash.

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/inference/rules.h"
#include "core/network/shape_inference.h"
#include "tests/core/network/made_up_graph.h"

namespace convscope::network {
namespace {

using ::testing::HasSubstr;

std::string findings(MadeUpGraph& made, const InputSizes& sizes = {}) {
  Diagnostics diagnostics;
  infer_shapes(made.graph, sizes, "made-up", diagnostics);
  layers_of(made.graph);
  return diagnostics.text();
}

TEST(ShapeContradiction, BetweenDeclaredAndInferred) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 3, 8, 8});
  const int y = made.node("Relu", {x});
  made.graph.tensors[static_cast<std::size_t>(y)].shape = {true, {1, 3, 9, 8}, {}};
  const std::string text = findings(made);
  EXPECT_THAT(text, HasSubstr("warning: node 'Relu_0' (Relu)"));
  EXPECT_THAT(text, HasSubstr("[1, 3, 9, 8]; expected [1, 3, 8, 8]"));
}

TEST(ShapeContradiction, OfChannels) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {1, 4, 8, 8}), made.filled({8, 3, 3, 3})});
  EXPECT_THAT(findings(made), HasSubstr("its input has 4 channels, its weights take 3"));
}

TEST(ShapeContradiction, OfOperands) {
  MadeUpGraph made;
  made.node("Add", {made.input("x", {2, 3}), made.filled({4})});
  EXPECT_THAT(findings(made), HasSubstr("its inputs [2, 3] and [4] don't fit"));
}

TEST(ShapeContradiction, OfReshape) {
  MadeUpGraph made;
  const int y = made.node("Reshape", {made.input("x", {2, 3}), made.integers({2}, {4, -1})});
  EXPECT_THAT(findings(made), HasSubstr("can't reshape [2, 3] to [4, ?]; expected 6 elements"));
  EXPECT_FALSE(made.at(y).shape.complete());
}

TEST(ShapeContradiction, OfKernelAndImage) {
  MadeUpGraph made;
  made.node("Conv", {made.input("x", {1, 1, 4, 4}), made.filled({1, 1, 7, 7})});
  EXPECT_THAT(findings(made), HasSubstr("its kernel reaches over 7 pixels"));
}

TEST(ShapeContradiction, OfSizes) {
  MadeUpGraph made;
  made.input("x", {1, 3, -1, 8});
  EXPECT_THAT(findings(made, {1, {}, {{"height", -4}}}), HasSubstr("dimension 'height'"));
}

struct Hostile {
  std::string operator_name;
  std::vector<Integers> inputs;
  std::vector<MadeUpGraph::Setting> settings;
};

void PrintTo(const Hostile& tested, std::ostream* out) {
  *out << tested.operator_name;
}

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

class HostileNode : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileNode, IsSaidAndLeavesTheShapeOpen) {
  MadeUpGraph made;
  std::vector<int> inputs;
  for (std::size_t i = 0; i < GetParam().inputs.size(); ++i)
    inputs.push_back(made.input("x" + std::to_string(i), GetParam().inputs[i]));
  const int y = made.node(GetParam().operator_name, inputs, GetParam().settings);
  EXPECT_THAT(findings(made), HasSubstr("warning: node '" + GetParam().operator_name));
  EXPECT_FALSE(made.at(y).shape.complete());
}

const Integers data{1, 4, 8, 8};
const Integers kernels{4, 4, 3, 3};

INSTANTIATE_TEST_SUITE_P(
    All, HostileNode,
    ::testing::Values(
        Hostile{"Conv", {data, kernels}, {{"group", std::int64_t{0}}}},
        Hostile{"Conv", {data, kernels}, {{"group", least}}}, Hostile{"Conv", {data, kernels}, {{"group", huge}}},
        Hostile{"Conv", {data, kernels}, {{"strides", Integers{0, 1}}}},
        Hostile{"Conv", {data, kernels}, {{"strides", Integers{1, 1, 1}}}},
        Hostile{"Conv", {data, kernels}, {{"dilations", Integers{huge, 1}}}},
        Hostile{"Conv", {data, kernels}, {{"pads", Integers{0, 0, -9, huge}}}},
        Hostile{"Conv", {data, kernels}, {{"pads", Integers{0}}}},
        Hostile{"Conv", {data, kernels}, {{"auto_pad", std::string("SOME")}}},
        Hostile{"Conv", {data, kernels}, {{"kernel_shape", Integers{5, 5}}}}, Hostile{"Conv", {data, {4, 4, 3}}, {}},
        Hostile{"Conv", {{4, 4}, {4, 4}}, {}}, Hostile{"MaxPool", {data}, {{"kernel_shape", Integers{-1, least}}}},
        Hostile{"MaxPool", {data}, {{"kernel_shape", Integers{9, 9}}}},
        Hostile{"Flatten", {data}, {{"axis", std::int64_t{5}}}},
        Hostile{"Concat", {data, {1, 4}}, {{"axis", std::int64_t{0}}}}, Hostile{"Concat", {data}, {{"axis", huge}}},
        Hostile{"Squeeze", {data}, {{"axes", Integers{9}}}}, Hostile{"Unsqueeze", {data}, {{"axes", Integers{0, 0}}}},
        Hostile{"Transpose", {data}, {{"perm", Integers{0, 0, 1, 2}}}},
        Hostile{"Transpose", {data}, {{"perm", Integers{0}}}},
        Hostile{"Reshape", {data}, {{"shape", Integers{-1, -1}}}},
        Hostile{"Reshape", {data}, {{"shape", Integers{least, 4}}}},
        Hostile{"Reshape", {{2}}, {{"shape", Integers{1, 0}}}},
        Hostile{"DepthToSpace", {data}, {{"blocksize", std::int64_t{0}}}},
        Hostile{"DepthToSpace", {data}, {{"blocksize", huge}}},
        Hostile{"Slice", {data}, {{"starts", Integers{0}}, {"ends", Integers{1, 2}}}},
        Hostile{"Pad", {data}, {{"pads", Integers{0, 0, huge, 0, 0, 0, huge, 0}}}},
        Hostile{"Pad", {data}, {{"pads", Integers{0, 0, -9, 0, 0, 0, 0, 0}}}},
        Hostile{"Upsample", {data}, {{"scales", Reals{1, 1, 1e300, 1}}}},
        Hostile{"Upsample", {data}, {{"scales", Reals{1, 1, -2, 1}}}},
        Hostile{"Upsample", {data}, {{"scales", Reals{2}}}}, Hostile{"ReduceSum", {data}, {{"axes", Integers{4}}}},
        Hostile{"Split", {data}, {{"split", Integers{7}}}}, Hostile{"MatMul", {{}, {2, 2}}, {}},
        Hostile{"Gather", {data, {2}}, {{"axis", std::int64_t{-5}}}}, Hostile{"GatherND", {data, {2, 9}}, {}},
        Hostile{"Add", {{element_cap, 1}, {1, element_cap}}, {}}));

/// Every rule on random nonsense: wrong ranks, negative and enormous dimensions and attributes, missing inputs.
TEST(HostileGraph, RandomNodesNeverBreakARule) {
  std::mt19937 random(20);
  const auto pick = [&random](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
  const Integers numbers{0, 1, 2, 3, 4, 5, 7, -1, -2, -3, 64, 1000, element_cap, element_cap + 1, huge, least, -huge};
  const auto number = [&] { return pick(3) > 0 ? numbers[pick(8)] : numbers[pick(numbers.size())]; };
  const auto list = [&] {
    Integers result(pick(6));
    for (std::int64_t& value : result) value = number();
    return result;
  };
  const std::vector<std::string> names{
      "axis",     "axes",       "pads",         "strides",        "dilations",    "kernel_shape", "group",
      "shape",    "perm",       "starts",       "ends",           "split",        "blocksize",    "k",
      "keepdims", "scales",     "output_shape", "output_padding", "auto_pad",     "ceil_mode",    "start",
      "end",      "batch_dims", "transA",       "transB",         "broadcast",    "value",        "hidden_size",
      "to",       "value_ints", "value_floats", "axis",           "height_scale", "allowzero"};
  const RuleTable rules = all_rules();
  for (int round = 0; round < 400; ++round) {
    MadeUpGraph made;
    made.graph.opset = static_cast<int>(pick(25));
    std::vector<int> tensors{-1, made.input("x", list()), made.input("image", {1, 4, 8, 8}), made.filled(list(), 2)};
    tensors.push_back(made.integers({3}, {number(), number(), number()}));
    tensors.push_back(made.floats({2}, {static_cast<float>(number()), std::numeric_limits<float>::quiet_NaN()}));
    for (const auto& [name, rule] : rules) {
      std::vector<int> inputs(pick(10));
      for (int& input : inputs) input = tensors[pick(tensors.size())];
      std::vector<MadeUpGraph::Setting> settings;
      for (std::size_t i = pick(4); i > 0; --i) {
        const std::string& key = names[pick(names.size())];
        switch (pick(4)) {
          case 0:
            settings.emplace_back(key, number());
            break;
          case 1:
            settings.emplace_back(key, Reals{static_cast<double>(number()), 1, 2, 0.5});
            break;
          case 2:
            settings.emplace_back(key, std::string(pick(2) > 0 ? "SAME_UPPER" : "?"));
            break;
          default:
            settings.emplace_back(key, list());
        }
      }
      const int outputs = static_cast<int>(pick(4));
      const int first = made.node(name, inputs, settings, outputs);
      for (int i = 0; i < outputs; ++i) tensors.push_back(first + i);
    }
    Diagnostics diagnostics;
    infer_shapes(made.graph, {static_cast<int>(pick(3)), Size{-5, 7}, {{"a", huge}}}, "made-up", diagnostics);
    for (const Tensor& tensor : made.graph.tensors) {
      const bool computed = tensor.shape.complete() && !tensor.constant && tensor.name[0] != 'x';
      EXPECT_TRUE(!computed || tensor.shape.elements()) << tensor.name;
    }
    for (const Layer& layer : layers_of(made.graph)) EXPECT_GE(layer.macs(), 0);
  }
}

}  // namespace
}  // namespace convscope::network
