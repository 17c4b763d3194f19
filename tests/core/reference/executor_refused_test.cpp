#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/reference/executor.h"
#include "core/reference/operators/call.h"
#include "tests/core/network/made_up_graph.h"

namespace convscope::reference {
namespace {

using network::ElementType;
using network::Integers;
using network::MadeUpGraph;
using network::Reals;
using ::testing::HasSubstr;

std::string refusal(const MadeUpGraph& made, const FloatTensors& inputs, const ExecutionLimits& limits = {}) {
  Diagnostics diagnostics;
  EXPECT_FALSE(execute(made.graph, inputs, diagnostics, limits).has_value());
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

FloatTensor zeros(Integers dimensions) {
  FloatTensor tensor{ElementType::float32, std::move(dimensions), {}};
  tensor.values.resize(as_size(count_of(tensor.dimensions)));
  return tensor;
}

TEST(ExecutorRefuses, UnknownOperators) {
  MadeUpGraph made;
  made.node("Magic", {made.input("x", {1})});
  EXPECT_THAT(refusal(made, {{"x", zeros({1})}}), HasSubstr("node 'Magic_0' (Magic): the reference can't execute"));
}

TEST(ExecutorRefuses, OperatorsOfOtherDomains) {
  MadeUpGraph made;
  made.node("Relu", {made.input("x", {1})});
  made.graph.nodes[0].domain = "made.up";
  EXPECT_THAT(refusal(made, {{"x", zeros({1})}}), HasSubstr("can't execute"));
}

TEST(ExecutorRefuses, MissingInputsAndValues) {
  MadeUpGraph made;
  const int x = made.input("x", {1, 1, 3, 3});
  made.node("Conv", {x, made.filled({1, 1, 1, 1})});
  EXPECT_THAT(refusal(made, {}), HasSubstr("input 'x': has no value"));
  FloatTensor wrong = zeros({1, 1, 3, 3});
  wrong.values.pop_back();
  EXPECT_THAT(refusal(made, {{"x", wrong}}), HasSubstr("other values than dimensions"));
  auto absent = std::make_shared<network::Constant>(*made.graph.tensors[1].constant);
  absent->fill.reset();
  made.graph.tensors[1].constant = absent;
  EXPECT_THAT(refusal(made, {{"x", zeros({1, 1, 3, 3})}}), HasSubstr("has no values"));
  made.graph.nodes[0].inputs.pop_back();
  EXPECT_THAT(refusal(made, {{"x", zeros({1, 1, 3, 3})}}), HasSubstr("its input 1 is missing"));
}

TEST(ExecutorRefuses, ShapesThatDontFit) {
  MadeUpGraph made;
  made.node("Add", {made.input("x", {3}), made.filled({4})});
  EXPECT_THAT(refusal(made, {{"x", zeros({3})}}), HasSubstr("its inputs [3] and [4] don't fit"));
}

TEST(ExecutorRefuses, MoreMemoryThanAllowed) {
  MadeUpGraph made;
  made.node("Expand", {made.input("x", {1}), made.integers({2}, {1 << 16, 1 << 16})});
  EXPECT_THAT(refusal(made, {{"x", zeros({1})}}), HasSubstr("elements would be alive"));
}

TEST(ExecutorRefuses, MoreWorkThanAllowed) {
  MadeUpGraph made;
  made.node("MatMul", {made.input("x", {64, 64}), made.filled({64, 64})});
  EXPECT_THAT(refusal(made, {{"x", zeros({64, 64})}}, {1 << 20, 100'000}), HasSubstr("operations so far"));
}

TEST(ExecutorRefuses, ModesThatItDoesntKnow) {
  MadeUpGraph made;
  made.node("Resize", {made.input("x", {1, 1, 2, 2}), -1, made.floats({4}, {1, 1, 2, 2})},
            {{"mode", std::string("cubic")}});
  EXPECT_THAT(refusal(made, {{"x", zeros({1, 1, 2, 2})}}), HasSubstr("'cubic'"));
}

TEST(ExecutorRefuses, IndicesBeyondTheData) {
  MadeUpGraph made;
  made.node("Gather", {made.input("x", {3}), made.integers({1}, {3})});
  EXPECT_THAT(refusal(made, {{"x", zeros({3})}}), HasSubstr("3"));
}

/// Every operator on random nonsense: an answer or a refusal, nothing else.
TEST(ExecutorRefuses, RandomNodesWithoutBreaking) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  std::mt19937 random(21);
  const auto pick = [&random](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
  const Integers numbers{0, 1, 2, 3, 4, -1, -2, 5, huge, -huge};
  const auto number = [&] { return pick(4) > 0 ? numbers[pick(6)] : numbers[pick(numbers.size())]; };
  const std::vector<std::string> names{"axis",
                                       "axes",
                                       "pads",
                                       "strides",
                                       "dilations",
                                       "kernel_shape",
                                       "group",
                                       "perm",
                                       "shape",
                                       "starts",
                                       "ends",
                                       "split",
                                       "blocksize",
                                       "k",
                                       "keepdims",
                                       "scales",
                                       "output_shape",
                                       "auto_pad",
                                       "ceil_mode",
                                       "start",
                                       "batch_dims",
                                       "transA",
                                       "transB",
                                       "broadcast",
                                       "to",
                                       "size",
                                       "num_groups",
                                       "paddings",
                                       "offset_group",
                                       "mode",
                                       "height_scale",
                                       "storage_order",
                                       "select_last_index",
                                       "p"};
  const std::vector<ElementType> types{ElementType::float32, ElementType::int64, ElementType::uint8,
                                       ElementType::boolean};
  int answers = 0;
  for (int round = 0; round < 300; ++round) {
    for (const auto& [name, entry] : all_operators()) {
      MadeUpGraph made;
      made.graph.opset = static_cast<int>(pick(25));
      FloatTensors inputs;
      std::vector<int> arguments;
      const Integers common(pick(5), 1 + static_cast<std::int64_t>(pick(4)));
      for (std::size_t i = 0; i < entry.required + pick(3); ++i) {
        FloatTensor tensor = zeros(pick(2) > 0 ? common : Integers(pick(4), static_cast<std::int64_t>(pick(4))));
        tensor.type = types[pick(3) > 0 ? 0 : pick(types.size())];
        for (double& value : tensor.values) value = saturate(static_cast<double>(number()), tensor.type);
        const std::string input = "x" + std::to_string(i);
        arguments.push_back(pick(12) > 0 ? made.input(input, tensor.dimensions, tensor.type) : -1);
        inputs[input] = std::move(tensor);
      }
      std::vector<MadeUpGraph::Setting> settings;
      for (std::size_t i = pick(4); i > 0; --i) {
        Integers list(pick(5));
        for (std::int64_t& value : list) value = number();
        const std::string& key = names[pick(names.size())];
        if (pick(2) > 0)
          settings.emplace_back(key, number());
        else if (pick(3) > 0)
          settings.emplace_back(key, list);
        else if (pick(2) > 0)
          settings.emplace_back(key, Reals(list.begin(), list.end()));
        else
          settings.emplace_back(key, std::string(pick(2) > 0 ? "SAME_LOWER" : "linear"));
      }
      made.graph.outputs = {made.node(name, arguments, settings, 1 + static_cast<int>(pick(3)))};
      Diagnostics diagnostics;
      const auto result = execute(made.graph, inputs, diagnostics, {100'000, 1'000'000});
      EXPECT_NE(result.has_value(), diagnostics.has_errors());
      answers += result.has_value();
    }
  }
  EXPECT_GT(answers, 1000);
}

}  // namespace
}  // namespace convscope::reference
