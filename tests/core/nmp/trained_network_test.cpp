// Networks with weights on the simulator: formats, what instructions ask of them, and results that are those of the
// rounded graph.

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/network/shape_inference.h"
#include "core/nmp/program_tools.h"
#include "core/nmp/trained/clamps.h"
#include "core/readers/common/graph_builder.h"
#include "trained_frame.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

struct Layers {
  float scale = .4F;  ///< of weights
  float largest_bias = .5F;
  float side = 1;  ///< of the weights of what a sum begins from
};

network::Network finished(readers::GraphBuilder& builder) {
  Diagnostics diagnostics;
  network::Network network;
  network.name = "small";
  network::Graph graph = *builder.finish();
  network::infer_shapes(graph, {}, "small", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  network.layers = network::layers_of(graph);
  network.graph = std::make_shared<const network::Graph>(std::move(graph));
  return network;
}

/// What programs know: a convolution with a normalization and a clamp of 6, one that a sum begins from, pools of both
/// kinds, a depthwise one, parts of a concatenation, a slope, a product of pairs, fully connected layers both ways
/// round, and a softmax that is left to the host.
network::Network trained_network(const Layers& layers = {}) {
  Diagnostics diagnostics;
  readers::Report report{"small", diagnostics};
  readers::GraphBuilder builder(report);
  network::Attributes same, depthwise, pool, transposed, clip, slope;
  same.set("pads", std::vector<std::int64_t>{1, 1, 1, 1});
  depthwise = same;
  depthwise.set("group", std::int64_t{8});
  pool.set("kernel_shape", std::vector<std::int64_t>{2, 2});
  pool.set("strides", std::vector<std::int64_t>{2, 2});
  clip.set("min", 0.0);
  clip.set("max", 1.25);
  slope.set("alpha", 0.1);
  transposed.set("transB", std::int64_t{1});
  transposed.set("alpha", 0.5);
  const float s = layers.scale;
  const int in = builder.input("in", {true, {1, 3, 12, 10}, {}});
  const int w1 = builder.floats("w1", {8, 3, 3, 3}, random_floats(216, 1, s));
  const int b1 = builder.floats("b1", {8}, random_floats(8, 2, layers.largest_bias));
  std::vector<float> positive = random_floats(8, 3, .4F);
  for (float& each : positive) each += 1;
  const int scale = builder.floats("scale", {8}, positive), variance = builder.floats("variance", {8}, positive);
  const int shift = builder.floats("shift", {8}, random_floats(8, 4, .3F)),
            mean = builder.floats("mean", {8}, random_floats(8, 5, .2F));
  const int w2 = builder.floats("w2", {8, 8, 3, 3}, random_floats(576, 6, s / 4));
  const int w3 = builder.floats("w3", {8, 1, 3, 3}, random_floats(72, 7, s));
  const int w4 = builder.floats("w4", {8, 8, 1, 1}, random_floats(64, 8, s * layers.side));
  const int w5 = builder.floats("w5", {16, 240}, random_floats(3840, 9, .1F));
  const int b5 = builder.floats("b5", {16}, random_floats(16, 10, .5F));
  const int w6 = builder.floats("w6", {16, 5}, random_floats(80, 11, .3F));
  const int added = builder.floats("added", {5}, random_floats(5, 12, .3F));
  const int conv1 = builder.node({"Conv", "conv1", {in, w1, b1}, same});
  const int normalized = builder.node({"BatchNormalization", "normal", {conv1, scale, shift, mean, variance}});
  const int clipped = builder.node({"Clip", "clip", {normalized}, clip});
  const int side = builder.node({"Conv", "side", {clipped, w4}});
  const int conv2 = builder.node({"Conv", "conv2", {clipped, w2}, same});
  const int sum = builder.node({"Add", "sum", {conv2, side}});
  const int relu = builder.node({"Relu", "relu", {sum}});
  const int deep = builder.node({"Conv", "deep", {relu, w3}, depthwise});
  const int leaky = builder.node({"LeakyRelu", "leaky", {deep}, slope});
  const int product = builder.node({"Mul", "product", {leaky, relu}});
  const int most = builder.node({"MaxPool", "most", {product}, pool});
  const int average = builder.node({"AveragePool", "average", {relu}, pool});
  network::Attributes axis;
  axis.set("axis", std::int64_t{1});
  const int both = builder.node({"Concat", "both", {most, average}, axis});
  const int half = builder.node({"MaxPool", "half", {both}, [&] {
                                   network::Attributes wide;
                                   wide.set("kernel_shape", std::vector<std::int64_t>{2, 1});
                                   wide.set("strides", std::vector<std::int64_t>{2, 1});
                                   return wide;
                                 }()});
  const int flat = builder.node({"Flatten", "flat", {half}});
  const int wide = builder.node({"Gemm", "wide", {flat, w5, b5}, transposed});
  const int last = builder.node({"MatMul", "last", {wide, w6}});
  const int biased = builder.node({"Add", "biased", {last, added}});
  builder.node({"Softmax", "answer", {biased}});
  return finished(builder);
}

const ProgramLayer& layer_of(const TrainedProgram& program, const std::string& name) {
  for (const ProgramLayer& each : program.linked.program->layers)
    if (each.name == name) return each;
  ADD_FAILURE() << "no layer " << name;
  return program.linked.program->layers.front();
}

TEST(TrainedNetworks, ComputesTheRoundedGraph) {
  for (const auto& [element, sums, least] : {std::tuple{2, 4, 60.0}, {2, 2, 40.0}, {1, 4, 12.0}, {1, 2, 12.0}}) {
    SCOPED_TRACE(testing::Message() << element << " bytes, sums of " << sums);
    const TrainedNetwork compiled(trained_network(), machine_of(element, sums));
    Diagnostics diagnostics;
    const auto program = compiled.trained(inputs_of(compiled.network), diagnostics);
    ASSERT_TRUE(program) << diagnostics.text();
    EXPECT_EQ(refusals_of(*program->linked.program), "");
    const TrainedRun run = compiled.run(*program);
    EXPECT_TRUE(run.run.equal()) << run.run.text();
    EXPECT_EQ(run.fault, "");
    EXPECT_GT(run.results, 3000);
    EXPECT_LE(run.most_apart, 1);
    EXPECT_GT(run.error.sqnr(), least);
    EXPECT_TRUE(run.same_answer);
  }
}

// The clamp is the network's own, in the format of what it leaves.
TEST(TrainedNetworks, ClampsWhereTheNetworkDoes) {
  const TrainedNetwork compiled(trained_network(), machine_of(2, 4));
  Diagnostics diagnostics;
  const auto program = compiled.trained(inputs_of(compiled.network), diagnostics);
  ASSERT_TRUE(program) << diagnostics.text();
  const ProgramLayer& first = layer_of(*program, "conv1");
  EXPECT_EQ(first.clamp_low, 0);
  EXPECT_EQ(first.clamp_high, 1.25 * (1 << 14)) << "Q2.14 holds up to 1.25";
  const ProgramLayer& linear = layer_of(*program, "wide");
  EXPECT_EQ(linear.clamp_low, linear.clamp_high) << "none";
}

// C47: a residual whose point stands elsewhere than the result's begins the sum shifted by its own distance.
TEST(TrainedNetworks, ShiftsResidualsByTheirOwnFormat) {
  std::set<int> distances;
  for (const float side : {.01F, 1.F, 30.F}) {
    SCOPED_TRACE(side);
    const TrainedNetwork compiled(trained_network({.side = side}), machine_of(2, 4), true);
    Diagnostics diagnostics;
    const auto program = compiled.trained(inputs_of(compiled.network), diagnostics);
    ASSERT_TRUE(program) << diagnostics.text();
    const auto begins = std::find_if(program->linked.program->layers.begin(), program->linked.program->layers.end(),
                                     [](const ProgramLayer& layer) { return layer.residual.region >= 0; });
    ASSERT_NE(begins, program->linked.program->layers.end()) << "a sum begins from a residual";
    distances.insert(begins->shift - begins->residual_shift);
    const TrainedRun run = compiled.run(*program);
    EXPECT_TRUE(run.run.equal()) << run.run.text();
    EXPECT_EQ(run.fault, "");
  }
  EXPECT_GT(distances.size(), 1U);
}

// A program that is right by itself, but not the network's: each layer in turn has another bias.
TEST(TrainedNetworks, NamesTheLayerThatDiffers) {
  const TrainedNetwork compiled(trained_network(), machine_of(2, 4));
  Diagnostics diagnostics;
  const auto program = compiled.trained(inputs_of(compiled.network), diagnostics);
  ASSERT_TRUE(program) << diagnostics.text();
  int seen = 0;
  for (std::size_t i = 0; i < program->numbers.steps.size(); ++i) {
    if (program->numbers.steps[i].biases.empty()) continue;
    std::vector<StepNumbers> steps = program->numbers.steps;
    for (std::int32_t& bias : steps[i].biases) bias += 1 << (steps[i].format.shift + 3);
    const TrainedProgram other{
        link_program(compiled.network, dynamic_cast<const OperatorPlan&>(*compiled.plan), compiled.solved(), steps, {}),
        program->numbers};
    const TrainedRun run = compiled.run(other);
    EXPECT_TRUE(run.run.equal()) << run.run.text();
    EXPECT_THAT(run.fault, HasSubstr("layer '" + other.linked.program->layers[i].name + "'"));
    EXPECT_GT(run.most_apart, 1);
    ++seen;
  }
  EXPECT_EQ(seen, 6);
}

TEST(TrainedNetworks, KeepsSumsWithinTheirBits) {
  // Biases that fill 32 bits, weights that need few, and inputs far above one.
  const TrainedNetwork compiled(trained_network({.scale = 1e-6F, .largest_bias = 900}), machine_of(2, 4));
  Diagnostics diagnostics;
  const auto program = compiled.trained(inputs_of(compiled.network), diagnostics);
  ASSERT_TRUE(program) << diagnostics.text();
  for (const StepNumbers& step : program->numbers.steps) {
    EXPECT_GE(step.format.shift, 0);
    EXPECT_LE(step.format.shift, 27);
    EXPECT_GE(step.format.residual_shift, 0);
    for (const std::int32_t bias : step.biases) EXPECT_LT(std::abs(std::int64_t{bias}), INT32_MAX) << "saturated";
  }
  const TrainedRun run = compiled.run(*program);
  EXPECT_TRUE(run.run.equal()) << run.run.text();
  EXPECT_EQ(run.fault, "");
}

TEST(TrainedNetworks, RunsWhenAskedForAnInput) {
  const TrainedNetwork compiled(trained_network(), machine_of(2, 4));
  Diagnostics diagnostics;
  const target::SimulationResult result = compiled.simulate({{"image", "seed:3"}}, diagnostics);
  ASSERT_TRUE(result.ran && result.matches) << diagnostics.text();
  EXPECT_THAT(diagnostics.text(), HasSubstr("dB from floating point, the largest in the same place"));
  const auto figure = [&](const std::string& key) {
    for (const artifact::NamedQuantity& each : result.counted)
      if (each.key == key) return each.quantity.value;
    ADD_FAILURE() << key;
    return 0.0;
  };
  EXPECT_GT(figure("sqnr"), 60);
  EXPECT_EQ(figure("same_answer"), 1);
  EXPECT_GT(figure("cycles"), 0);
  Diagnostics seeded;
  const target::SimulationResult as_before = compiled.simulate({}, seeded);
  ASSERT_TRUE(as_before.ran && as_before.matches) << seeded.text();
  EXPECT_EQ(as_before.counted.size(), 5U);
  EXPECT_EQ(as_before.figures.front().quantity.value, result.figures.front().quantity.value) << "time knows no data";
}

TEST(TrainedNetworks, RefusesWhatCannotBeTaken) {
  const TrainedNetwork compiled(trained_network(), machine_of(2, 4));
  const auto refusal = [&](const std::vector<std::pair<std::string, std::string>>& options) {
    Diagnostics diagnostics;
    EXPECT_FALSE(compiled.simulate(options, diagnostics).ran);
    return diagnostics.text();
  };
  EXPECT_THAT(refusal({{"image", "no such file.png"}}), HasSubstr("no such file.png"));
  EXPECT_THAT(refusal({{"image", "seed:3"}, {"ranges", "no such ranges.json"}}), HasSubstr("no such ranges.json"));
  EXPECT_THAT(refusal({{"ranges", "seen.json"}}), HasSubstr("--ranges is for a network as a whole"));
  Diagnostics diagnostics;
  target::OptionValues options(NmpSimulationTools().options());
  ASSERT_TRUE(options.set("image", "seed:3", diagnostics));
  EXPECT_FALSE(compiled.layers.front()->simulate(options, {}, diagnostics)->ran);
  EXPECT_THAT(diagnostics.text(), HasSubstr("other programs run on seeded data"));
}

TEST(TrainedNetworks, SaysWhichLayerHasNoWeights) {
  network::Network network = trained_network();
  auto graph = std::make_shared<network::Graph>(*network.graph);
  for (network::Tensor& tensor : graph->tensors) {
    if (tensor.name != "w3") continue;
    auto absent = std::make_shared<network::Constant>(*tensor.constant);
    absent->bytes = {};
    absent->owner = nullptr;
    tensor.constant = absent;
  }
  network.graph = graph;
  const TrainedNetwork compiled(network, machine_of(2, 4));
  Diagnostics diagnostics;
  const std::vector<double> most(graph->tensors.size(), 1);
  EXPECT_FALSE(link_trained(compiled.network, dynamic_cast<const OperatorPlan&>(*compiled.plan), compiled.solved(),
                            most, {}, {}, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("layer 'deep'"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("no weights"));
}

TEST(Clamps, AreThoseOfAllThatIsFolded) {
  Diagnostics diagnostics;
  readers::Report report{"clamps", diagnostics};
  readers::GraphBuilder builder(report);
  const int in = builder.input("in", {true, {1, 4}, {}});
  network::Attributes narrow;
  narrow.set("min", -1.0);
  narrow.set("max", 3.0);
  const int low = builder.floats("low", {}, {-2}), high = builder.floats("high", {}, {6});
  const int first = builder.node({"Clip", "first", {in, low, high}});
  const int second = builder.node({"Relu", "second", {first}});
  const int third = builder.node({"Clip", "third", {second}, narrow});
  builder.node({"Sigmoid", "last", {third}});
  const network::Graph graph = *builder.finish();
  const auto clamp = [&](int node, const std::vector<int>& folded) {
    const auto found = clamp_of(graph, node, folded);
    return found ? std::pair(found->least, found->most) : std::pair(7.0, -7.0);
  };
  EXPECT_EQ(clamp(0, {}), std::pair(-2.0, 6.0));
  EXPECT_EQ(clamp(1, {}), std::pair(0.0, static_cast<double>(INFINITY)));
  EXPECT_EQ(clamp(0, {1}), std::pair(0.0, 6.0));
  EXPECT_EQ(clamp(0, {1, 2}), std::pair(0.0, 3.0));
  EXPECT_EQ(clamp(3, {}), std::pair(7.0, -7.0)) << "none";
}

}  // namespace
}  // namespace convscope::nmp
