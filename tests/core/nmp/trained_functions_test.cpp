// Trained numbers through what isn't a sum of products: functions, constants, operands that are spread over others,
// sums of many, slopes and copies. The program must be the rounded graph's, bit by bit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/trained/table_point.h"
#include "made_graph.h"
#include "trained_frame.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

/// A convolution of the image, whose maps have different magnitudes; what is to be tested; another convolution.
struct Made : MadeGraph {
  static constexpr std::int64_t maps = 4, rows = 6, columns = 5;
  int image = input({1, 3, rows, columns});
  int seed = 1;

  int weights(const Dimensions& dimensions, float scale) {
    std::size_t count = 1;
    for (const std::int64_t size : dimensions) count *= static_cast<std::size_t>(size);
    return floats(dimensions, random_floats(count, static_cast<unsigned>(seed++), scale));
  }
  int begin(float scale = 1.5F) { return convolution_by(image, weights({maps, 3, 3, 3}, scale), 3); }
  network::Network end(int tensor) {
    return network({convolution_by(tensor, weights({5, maps, 1, 1}, .6F)), node("Identity", {tensor})});
  }
};

struct Least {
  double with_16_bits, with_8_bits;
};

/// With results that differ nowhere, but where partial sums are rounded.
void expect_rounded(const network::Network& network, const Least& least, const std::string& what) {
  SCOPED_TRACE(what);
  const TrainedRun wide = expect_rounded_graph(network, 2, 4), narrow = expect_rounded_graph(network, 1, 2);
  EXPECT_GT(wide.error.sqnr(), least.with_16_bits);
  EXPECT_GT(narrow.error.sqnr(), least.with_8_bits);
  EXPECT_GT(wide.results, 0);
}

TEST(TrainedFunctions, HaveTheirOwnFormats) {
  for (const auto& [name, least] : std::initializer_list<std::pair<const char*, Least>>{{"Sigmoid", {60, 20}},
                                                                                        {"Tanh", {50, 15}},
                                                                                        {"Softsign", {50, 15}},
                                                                                        {"Erf", {50, 15}},
                                                                                        {"Elu", {55, 15}},
                                                                                        {"Celu", {55, 15}},
                                                                                        {"Mish", {55, 15}},
                                                                                        {"Softplus", {60, 20}},
                                                                                        {"Gelu", {50, 15}},
                                                                                        {"Abs", {60, 15}},
                                                                                        {"HardSigmoid", {60, 20}},
                                                                                        {"HardSwish", {60, 15}},
                                                                                        {"Neg", {60, 15}}}) {
    Made g;
    expect_rounded(g.end(g.node(name, {g.begin()})), least, name);
  }
}

// Inputs that reach 30: a table over all of them would be a quarter of a segment for the middle of a sigmoid.
TEST(TrainedFunctions, SaturateInputsWhereThatMakesTheTableBetter) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto swish = [=](double x) { return x * sigmoid(x); };
  EXPECT_EQ(fraction_for_table(sigmoid, 16, 10, 30), 12);
  EXPECT_EQ(fraction_for_table(swish, 16, 10, 30), 10) << "what saturates there is lost";
  EXPECT_EQ(fraction_for_table(sigmoid, 16, 13, 3.5), 13);
  for (const bool shared : {false, true}) {
    Made g;
    const int wide = g.begin(4);
    const int open = g.node("Sigmoid", {wide});
    const network::Network network = g.end(shared ? g.node("Mul", {wide, open}) : open);
    const TrainedNetwork compiled(network, machine_of(2, 4));
    Diagnostics diagnostics;
    const auto program = compiled.trained(inputs_of(network), diagnostics);
    ASSERT_TRUE(program) << diagnostics.text();
    EXPECT_EQ(program->numbers.formats[static_cast<std::size_t>(wide)]->fraction, shared ? 10 : 12);
    expect_rounded(network, {50, 12}, shared ? "shared" : "alone");
  }
}

TEST(TrainedFunctions, AddAndMultiplyConstants) {
  for (const auto& [name, number, second] :
       std::initializer_list<std::tuple<const char*, double, bool>>{{"Add", 3.3, true},
                                                                    {"Add", -300, false},
                                                                    {"Sub", 1.7, true},
                                                                    {"Sub", 0.4, false},
                                                                    {"Mul", 0.3, true},
                                                                    {"Mul", -700, true},
                                                                    {"Div", 7, true},
                                                                    {"PRelu", 0.3, true}}) {
    Made g;
    const int before = g.node("Tanh", {g.begin()}), constant = g.constant({}, number);
    const int after = second ? g.node(name, {before, constant}) : g.node(name, {constant, before});
    expect_rounded(g.end(after), {40, 8}, std::string(name) + " " + std::to_string(number));
  }
}

TEST(TrainedFunctions, TakeConstantsAsLargeAsMapsOrOneForEach) {
  const auto size = MadeGraph::Dimensions{1, Made::maps, Made::rows, Made::columns};
  const auto of_map = MadeGraph::Dimensions{Made::maps, 1, 1};
  for (const char* name : {"Add", "Sub", "Mul", "Max", "Min"})
    for (const auto& dimensions : {size, of_map})
      for (const float scale : {.02F, 40.F}) {
        Made g;
        const int before = g.node("Tanh", {g.begin()});
        expect_rounded(g.end(g.node(name, {before, g.weights(dimensions, scale)})), {25, -3},
                       std::string(name) + (dimensions == size ? " of all " : " of maps ") + std::to_string(scale));
      }
}

// A block of squeeze and excitation; the second operand comes by a view.
TEST(TrainedFunctions, SpreadOperandsOverMaps) {
  Made g;
  const int before = g.node("HardSwish", {g.begin()});
  const int mean = g.node("GlobalAveragePool", {before});
  const int open = g.node("HardSigmoid", {g.convolution_by(mean, g.weights({Made::maps, Made::maps, 1, 1}, 2))});
  const int scaled = g.node("Mul", {before, open});
  const int shifted = g.node("Add", {scaled, mean});
  expect_rounded(g.end(g.node("Sub", {shifted, open})), {55, 12}, "squeezed");
}

// Two large operands that cancel: what is stored between the two has room. Of a batch each image has all parts.
TEST(TrainedFunctions, AddUpManyOperands) {
  Made g;
  const int large = g.begin(8);
  const int other = g.node("Tanh", {large});
  const int constant = g.weights({1, Made::maps, Made::rows, Made::columns}, 2);
  const int sum = g.node("Sum", {large, large, g.node("Neg", {g.node("Sum", {large, large, other})}), constant});
  const int most = g.node("Max", {sum, other, constant});
  network::Network network = g.end(g.node("Min", {most, large, sum}));
  for (network.batch = 1; network.batch <= 3; network.batch += 2)
    expect_rounded(network, {35, 2}, std::to_string(network.batch) + " images");
}

TEST(TrainedFunctions, HaveSlopesForEachMap) {
  const auto network = [](float scale) {
    Made g;
    return g.end(g.node("PRelu", {g.begin(), g.weights({Made::maps, 1, 1}, scale)}));
  };
  const TrainedRun run = expect_rounded_graph(network(1), 2, 4);
  EXPECT_GT(run.error.sqnr(), 60);
  const auto refusal = [&](float scale, int bytes) {
    const TrainedNetwork compiled(network(scale), machine_of(bytes, 4));
    Diagnostics diagnostics;
    EXPECT_FALSE(compiled.trained(inputs_of(compiled.network), diagnostics));
    return diagnostics.text();
  };
  EXPECT_THAT(refusal(5, 2), HasSubstr("programs none beyond those from -1 to 1"));
  EXPECT_THAT(refusal(5, 2), HasSubstr("layer 'PRelu"));
  EXPECT_THAT(refusal(1, 1), HasSubstr("its slopes have 15 fraction bits, its elements 8"));
}

// A gate's factor has 14 fraction bits more than its input: beyond 2^18 no word of 16 bits is left.
TEST(TrainedFunctions, RefuseFactorsThatNoWordHolds) {
  Made g;
  const TrainedNetwork compiled(g.end(g.node("HardSwish", {g.begin(1e6F)})), machine_of(2, 4));
  Diagnostics diagnostics;
  EXPECT_FALSE(compiled.trained(inputs_of(compiled.network), diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("layer 'HardSwish"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("programs have no factor of 0.166667"));
}

TEST(TrainedFunctions, RoundDownToWholeNumbers) {
  const auto network = [](float scale, bool twice) {
    Made g;
    const int scaled = g.node("Mul", {g.begin(scale), g.constant({}, 0.37)});
    const int whole = g.node("Floor", {scaled});
    return g.end(twice ? g.node("Mul", {whole, g.constant({}, 2)}) : g.node("Relu", {whole}));
  };
  for (const float scale : {4.F, 20.F})  // up to 11 and 57
    expect_rounded(network(scale, false), {30, 8}, std::to_string(scale));
  const auto refusal = [&](float scale, bool twice) {
    const TrainedNetwork compiled(network(scale, twice), machine_of(1, 4));
    Diagnostics diagnostics;
    EXPECT_FALSE(compiled.trained(inputs_of(compiled.network), diagnostics));
    return diagnostics.text();
  };
  EXPECT_THAT(refusal(400, false), HasSubstr("rounds down to whole numbers, beyond those that its words hold"));
  EXPECT_THAT(refusal(4, true), HasSubstr("folded into it is no matter of weights and biases"));
}

// What only constants are computed to lies in DRAM from the start, and so does an input that a view alone reads.
TEST(TrainedFunctions, ReadWhatIsThereFromTheStart) {
  MadeGraph g;
  const int image = g.node("Identity", {g.node("Flatten", {g.input({1, 4, 3, 2})})});
  const int row = g.node("Neg", {g.floats({1, 24}, random_floats(24, 3, 2))});
  const int sum = g.node("Add", {g.node("Sigmoid", {image}), row});
  expect_rounded(g.network({sum, g.node("Mul", {sum, row})}), {60, 12}, "from the start");
}

// A part is in two concatenations: one has it, the other one copies it; a shuffle goes on from there.
TEST(TrainedFunctions, CopyWordsWhereTheyBelong) {
  Made g;
  const int a = g.node("Relu", {g.begin()}), b = g.node("Sigmoid", {g.begin(6)});
  const auto axis = attributes({{"axis", std::int64_t{1}}});
  const int first = g.node("Concat", {a, b}, axis), second = g.node("Concat", {b, g.begin(.1F)}, axis);
  const int rows = g.node("Reshape", {second, g.integers({2, Made::maps, Made::rows * Made::columns})});
  const int shuffled = g.node("Transpose", {rows}, attributes({{"perm", std::vector<std::int64_t>{1, 0, 2}}}));
  const int back = g.node("Reshape", {shuffled, g.integers({1, 2 * Made::maps, Made::rows, Made::columns})});
  const int all = g.convolution_by(back, g.weights({Made::maps, 2 * Made::maps, 1, 1}, .5F));
  network::Network network = g.network({all, first});
  for (network.batch = 1; network.batch <= 3; network.batch += 2)
    expect_rounded(network, {40, 8}, std::to_string(network.batch) + " images");
}

// A program that is right by itself, with another function than the network's.
TEST(TrainedFunctions, NameTheFunctionThatDiffers) {
  Made g;
  const TrainedNetwork compiled(g.end(g.node("HardSwish", {g.node("Sigmoid", {g.begin()})})), machine_of(2, 4));
  Diagnostics diagnostics;
  const auto program = compiled.trained(inputs_of(compiled.network), diagnostics);
  ASSERT_TRUE(program) << diagnostics.text();
  for (std::size_t i = 0; i < program->numbers.steps.size(); ++i) {
    if (!program->numbers.steps[i].computing || program->numbers.steps[i].computing->table.empty()) continue;
    TrainedProgram other = *program;
    for (std::int32_t& word : other.numbers.steps[i].computing->table) word ^= 4;
    other.linked = link_program(compiled.network, dynamic_cast<const OperatorPlan&>(*compiled.plan), compiled.solved(),
                                other.numbers.steps, {});
    const TrainedRun run = compiled.run(other);
    EXPECT_TRUE(run.run.equal()) << run.run.text();
    EXPECT_THAT(run.fault, HasSubstr("layer '" + other.linked.program->layers[i].name + "'"));
  }
}

}  // namespace
}  // namespace convscope::nmp
