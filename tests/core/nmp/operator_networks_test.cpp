// Networks of operators that compute element by element or move elements: what each is taken for, and that programs of
// the whole network compute what the reference does.

#include <algorithm>
#include <functional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/host/run.h"
#include "core/nmp/nmp_target.h"
#include "core/nmp/operators/operators.h"
#include "core/nmp/verify/verify_program.h"
#include "made_graph.h"
#include "whole_network.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;
using Dimensions = MadeGraph::Dimensions;

struct Joined {
  std::string operation;  ///< what the totals say
  std::optional<Program> program;
  double estimate = 0;  ///< seconds
};

Joined joined(const network::Network& network, bool free_running, int element_bytes = 2) {
  Machine machine = board_of_all(free_running);
  machine.element_bytes = element_bytes;
  machine.partial_sum_bytes = 4;
  const WholeNetwork whole(network, machine);
  Joined result{whole.operation(), std::nullopt, whole.estimate};
  if (whole.has_program()) result.program = whole.program();
  return result;
}

/// Every way of running the network: lockstep, free running, in 8 bits.
void expect_equal(const network::Network& network, const std::string& operation) {
  for (const bool free_running : {false, true})
    for (const int bytes : {2, 1}) {
      if (free_running && bytes == 1) continue;
      const Joined made = joined(network, free_running, bytes);
      EXPECT_EQ(made.operation, operation);
      ASSERT_TRUE(made.program) << made.operation;
      Diagnostics refusals;
      verify_program(*made.program, refusals);
      EXPECT_EQ(refusals.text(), "") << free_running;
      const ComparedRun run = run_and_compare(*made.program, 3, {.jitter = free_running ? 1.5 : 0.0, .seed = 5});
      EXPECT_TRUE(run.equal()) << free_running << ' ' << bytes << ": " << run.text();
      EXPECT_EQ(run.result.traffic, made.program->traffic);
      if (free_running) continue;
      const SimulationResult timed = simulate(*made.program, {.free_instructions = true});
      ASSERT_FALSE(timed.refusal) << timed.refusal->text();
      // Fetching tables comes to what layers take.
      EXPECT_GE(timed.seconds, made.estimate * (1 - 1e-9));
      EXPECT_LE(timed.seconds, made.estimate + 60e-6 * static_cast<double>(made.program->layers.size()));
    }
}

std::set<std::string_view> computations_of(const Program& program) {
  std::set<std::string_view> names;
  for (const ProgramLayer& layer : program.layers) names.insert(name_of(layer.computation));
  return names;
}

// A block of MobileNetV3: squeeze and excitation by hard functions.
TEST(OperatorNetworks, ScaleMapsByWhatTheyAreInTheMean) {
  MadeGraph g;
  const int image = g.input({1, 6, 10, 9});
  const int wide = g.node("HardSwish", {g.convolution(image, 6, 16, 3)});
  const int mean = g.node("GlobalAveragePool", {wide});
  const int less = g.node("Relu", {g.convolution(mean, 16, 4)});
  const int scale = g.node("HardSigmoid", {g.convolution(less, 4, 16)});
  const int scaled = g.node("Mul", {scale, wide});  // either comes first
  const network::Network network = g.network({g.convolution(scaled, 16, 8)});
  expect_equal(network, "one program of 8 layers");
  EXPECT_THAT(computations_of(*joined(network, false).program),
              testing::IsSupersetOf({"gate", "affine", "multiply-spread", "average-pool"}));
}

TEST(OperatorNetworks, ActivateByTables) {
  MadeGraph g;
  int at = g.convolution(g.input({1, 4, 7, 6}), 4, 8, 3);
  for (const char* name : {"Sigmoid", "Tanh", "Swish", "Elu"}) at = g.node(name, {at});
  const int gated = g.node("Mul", {at, g.node("Sigmoid", {at})});
  expect_equal(g.network({g.convolution(gated, 8, 4)}), "one program of 8 layers");
}

TEST(OperatorNetworks, CombineManyOperandsAndConstants) {
  MadeGraph g;
  const int image = g.input({1, 5, 8, 8});
  std::vector<int> parts;
  for (int i = 0; i < 4; ++i) parts.push_back(g.convolution(image, 5, 8, i % 2 == 0 ? 3 : 1));
  const int sum = g.node("Sum", parts);
  const int limited = g.node("Relu", {sum});
  const int most = g.node("Max", {limited, g.constant({1, 8, 8, 8}), parts[0]});
  const int shifted = g.node("Add", {most, g.constant({}, 1.5)});
  const int less = g.node("Sub", {g.constant({1}, 3), shifted});
  const int part = g.node("Div", {less, g.constant({}, 6)});
  const int steep = g.node("PRelu", {part, g.constant({8, 1, 1}, 0.25)});
  const int leaky = g.node("PRelu", {steep, g.constant({1}, 0.25)});
  const int offset = g.node("Add", {leaky, g.constant({8, 1, 1})});
  const network::Network network = g.network({offset});
  expect_equal(network, "one program of 13 layers");
  const Program program = *joined(network, false).program;
  EXPECT_EQ(program.layers.size(), 16U);  // four operands are three sums, three are two
  // A clamp behind the sum isn't one of what it has halfway.
  for (const ProgramLayer& layer : program.layers)
    EXPECT_EQ(layer.computation == Computation::copy, layer.clamp_high != 0) << layer.name;
}

/// Two groups of maps, one map of each in turn.
int shuffled(MadeGraph& g, int tensor, std::int64_t maps, std::int64_t rows, std::int64_t columns) {
  const int grouped = g.node("Reshape", {tensor, g.integers({1, 2, maps / 2, rows, columns})});
  const int turned = g.node("Transpose", {grouped}, attributes({{"perm", Dimensions{0, 2, 1, 3, 4}}}));
  return g.node("Reshape", {turned, g.integers({1, maps, rows, columns})});
}

// A block of ShuffleNetV2: one half goes through, the other is computed, and their maps are mixed.
TEST(OperatorNetworks, ShuffleMaps) {
  MadeGraph g;
  const int first = g.convolution(g.input({1, 3, 9, 7}), 3, 12, 3);
  const std::vector<int> halves =
      g.nodes("Split", {shuffled(g, first, 12, 9, 7)}, 2, attributes({{"axis", std::int64_t{1}}}));
  const int right = g.node("Relu", {g.convolution(halves[1], 6, 6, 3)});
  const int both = g.node("Concat", {halves[0], right}, attributes({{"axis", std::int64_t{1}}}));
  const int mixed = shuffled(g, both, 12, 9, 7);
  const int half = g.node("Slice", {mixed, g.integers({6}), g.integers({12}), g.integers({1})});
  const network::Network network = g.network({g.convolution(half, 6, 4)});
  expect_equal(network, "one program of 6 layers");
  // What goes through is copied; what is computed lies in its place.
  const Program program = *joined(network, false).program;
  const auto copies = std::count_if(program.layers.begin(), program.layers.end(),
                                    [](const ProgramLayer& layer) { return layer.computation == Computation::copy; });
  EXPECT_EQ(copies, 2 + 1 + 2);  // of each shuffle two halves
}

TEST(OperatorNetworks, ResizeCropAndPad) {
  MadeGraph g;
  const int small = g.convolution(g.input({1, 4, 6, 5}), 4, 8, 3);
  const auto nearest = attributes({{"mode", std::string("nearest")},
                                   {"coordinate_transformation_mode", std::string("asymmetric")},
                                   {"nearest_mode", std::string("floor")}});
  const int large = g.node("Resize", {small, -1, -1, g.integers({1, 8, 12, 15})}, nearest);
  const int padded = g.node("Pad", {large, g.integers({0, 0, 2, 1, 0, 0, 0, 3})});
  const int fewer = g.node(
      "Slice", {padded, g.integers({2, 1, 0}), g.integers({8, 13, 19}), g.integers({1, 2, 3}), g.integers({1, 2, 3})});
  const int more = g.node("Pad", {fewer, g.integers({0, 0, 0, 0, 0, 5, 0, 0})});
  const network::Network network = g.network({g.convolution(more, 11, 4)});
  EXPECT_EQ(network.layers.back().in, (network::Shape{11, {6, 7}}));
  expect_equal(network, "one program of 6 layers");
}

TEST(OperatorNetworks, JoinAlongRows) {
  MadeGraph g;
  const int image = g.input({1, 8, 6, 8});
  const int a = g.convolution(image, 8, 8), b = g.convolution(image, 8, 8, 3);
  const int tall = g.node("Concat", {a, b, image}, attributes({{"axis", std::int64_t{2}}}));
  expect_equal(g.network({g.convolution(tall, 8, 4)}), "one program of 4 layers");
}

std::string why_of(const network::Network& network) {
  const OperatorPlan plan = plan_operators(network);
  const OperatorUse& use = plan.uses.back();
  return use.kind == OperatorUse::Kind::unmapped ? use.text : use.computing.missing;
}

TEST(OperatorNetworks, SayWhatTheyDontKnow) {
  const auto of = [](const std::string& name, const Dimensions& input,
                     const std::function<std::vector<int>(MadeGraph&)>& more, const network::Attributes& with = {}) {
    MadeGraph g;
    const int image = g.convolution(g.input(input), input[1], input[1]);
    std::vector<int> inputs{image};
    for (const int tensor : more(g)) inputs.push_back(tensor);
    return why_of(g.network({g.node(name, inputs, with)}));
  };
  const Dimensions maps{1, 4, 6, 5};
  const auto none = [](MadeGraph&) { return std::vector<int>{}; };
  EXPECT_THAT(of("Transpose", maps, none, attributes({{"perm", Dimensions{0, 2, 3, 1}}})),
              HasSubstr("pieces of one element"));
  EXPECT_THAT(of("Mul", maps,
                 [](MadeGraph& g) {
                   return std::vector{g.constant({1, 1, 6, 5})};
                 }),
              HasSubstr("these operands"));
  EXPECT_THAT(of("Div", maps,
                 [](MadeGraph& g) {
                   return std::vector{g.constant({1, 4, 6, 5})};
                 }),
              HasSubstr("these operands"));
  const auto sizes = [](MadeGraph& g) { return std::vector{-1, -1, g.integers({1, 4, 12, 10})}; };
  EXPECT_EQ(of("Resize", maps, sizes, attributes({{"mode", std::string("nearest")}})), "");
  EXPECT_THAT(of("Resize", maps, sizes, attributes({{"mode", std::string("linear")}})),
              HasSubstr("nearest input alone"));
  EXPECT_THAT(of("Resize", maps, sizes, attributes({{"nearest_mode", std::string("ceil")}})),
              HasSubstr("nearest input in the way"));
  EXPECT_THAT(of("Resize", maps,
                 [](MadeGraph& g) {
                   return std::vector{-1, -1, g.integers({1, 4, 9, 10})};
                 }),
              HasSubstr("whole factors"));
  EXPECT_THAT(of("Pad", maps,
                 [](MadeGraph& g) {
                   return std::vector{g.integers({0, 1, 1, 0, 0, 0, 0, 0})};
                 }),
              HasSubstr("not both"));
  EXPECT_THAT(of("Pad", maps,
                 [](MadeGraph& g) {
                   return std::vector{g.integers({0, 0, 1, 0, 0, 0, 0, 0}), g.constant({}, 1)};
                 }),
              HasSubstr("zeros"));
  EXPECT_THAT(of(
                  "Pad", maps,
                  [](MadeGraph& g) {
                    return std::vector{g.integers({0, 0, 1, 0, 0, 0, 0, 0})};
                  },
                  attributes({{"mode", std::string("reflect")}})),
              HasSubstr("zeros"));
}

}  // namespace
}  // namespace convscope::nmp
