// Where the host puts kernels, maps, code and reciprocals; checked word by word against docs/snowflake-program.md.

#include <functional>

#include <gtest/gtest.h>

#include "core/snowflake/host/run.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

enum : int { in_region, kernel_region, out_region };

/// One layer with regions behind each other and `kernel_words` for its kernels; a halt as code.
Program program_of(ProgramLayer layer, std::int64_t kernel_words) {
  HandProgram hand(1 << 18);
  hand.halt();
  Program& program = hand.finished();
  std::int64_t at = 64;
  const auto region = [&](const char* name, RegionKind kind, std::int64_t words) {
    program.regions.push_back({name, kind, at, words, 0, 0});
    at += words;
  };
  region("input", RegionKind::input, std::int64_t{layer.in.height} * layer.in.width * layer.in.pitch);
  region("kernels", RegionKind::kernels, kernel_words);
  region("output", RegionKind::output, std::int64_t{layer.out.height} * layer.out.width * layer.out.pitch);
  layer.in.region = in_region;
  layer.kernels.region = kernel_region;
  layer.out.region = out_region;
  program.layers.push_back(layer);
  return program;
}

ProgramLayer convolution(int inputs, int in_pitch, int outputs, int kernel, int groups, KernelPlace kernels) {
  ProgramLayer layer;
  layer.name = "L1";
  layer.in = {-1, 0, 6, 6, inputs, in_pitch};
  layer.out = {-1, 0, 6 - kernel + 1, 6 - kernel + 1, outputs, outputs};
  layer.kernel_height = layer.kernel_width = kernel;
  layer.groups = groups;
  layer.kernels = kernels;
  return layer;
}

KernelPlace place(KernelOrder order, int vmacs, int slots, int span = 0) {
  KernelPlace kernels;
  kernels.order = order;
  kernels.vmacs = vmacs;
  kernels.kernels_per_vmac = slots;
  kernels.span = span;
  return kernels;
}

/// The image's kernel words: weight (k, c, y, x) has to be at `at(k, c, y, x)`, bias k at `bias(k)`, all else is 0.
void check(const Program& program, const std::function<std::int64_t(int, int, int, int)>& at,
           const std::function<std::int64_t(int)>& bias) {
  Diagnostics diagnostics;
  ASSERT_TRUE(check_layers(program, diagnostics)) << diagnostics.text();
  const ProgramLayer& layer = program.layers[0];
  ProgramData data = seeded_data(program, 1);
  auto& parameters = data.parameters[0];
  std::int16_t next = 0;
  for (auto& weight : parameters.weights) weight = ++next;
  for (auto& value : parameters.bias) value = ++next;
  const auto dram = dram_image(program, data);
  const Region& region = program.regions[kernel_region];
  std::vector<std::int16_t> expected(static_cast<std::size_t>(region.words));
  std::int16_t value = 0;
  for (int k = 0; k < layer.out.channels; ++k)
    for (int c = 0; c < layer.in.channels / layer.groups; ++c)
      for (int y = 0; y < layer.kernel_height; ++y)
        for (int x = 0; x < layer.kernel_width; ++x) expected[static_cast<std::size_t>(at(k, c, y, x))] = ++value;
  for (int k = 0; k < layer.out.channels; ++k) expected[static_cast<std::size_t>(bias(k))] = ++value;
  const auto first = dram.begin() + region.first_word;
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first));
  // One word less is too little.
  Program small = program;
  small.regions[kernel_region].words =
      KernelLayout(layer, 16).part_words * layer.kernels.vmacs * KernelLayout(layer, 16).tiles - 1;
  EXPECT_FALSE(check_layers(small, diagnostics));
}

// 3 channels of pitch 3, 3x3: rows of 9 words are rounded up to 16; 2 kernels a vMAC, then 2 biases, rounded up: 112.
TEST(SnowflakeHost, CooperativeKernelsLieRowByRow) {
  const Program program = program_of(convolution(3, 3, 10, 3, 1, place(KernelOrder::cooperative, 4, 2)), 2 * 4 * 112);
  const auto part = [](int k) { return std::int64_t{112} * (k / 8 * 4 + k % 4); };
  const auto slot = [](int k) { return k % 8 / 4; };
  check(
      program, [&](int k, int c, int y, int x) { return part(k) + 48 * slot(k) + 16 * y + 3 * x + c; },
      [&](int k) { return part(k) + 96 + slot(k); });
}

// Maps of 20 channels have a pitch of 32, whose other words have zero weights.
TEST(SnowflakeHost, KernelsFollowTheirInputsPitch) {
  const Program program = program_of(convolution(20, 32, 4, 3, 1, place(KernelOrder::cooperative, 4, 1)), 4 * 304);
  check(
      program, [&](int k, int c, int y, int x) { return 304 * k + 96 * y + 32 * x + c; },
      [&](int k) { return 304 * k + 288; });
}

// Each word of a row, here 2 * 3, becomes 16: one of each of 16 kernels. 2 vMACs, so 32 output channels a slot.
TEST(SnowflakeHost, IndependentKernelsLieSideBySide) {
  const Program program = program_of(convolution(3, 3, 70, 2, 1, place(KernelOrder::independent, 2, 1)), 3 * 2 * 208);
  const auto part = [](int k) { return std::int64_t{208} * (k / 16); };
  check(
      program, [&](int k, int c, int y, int x) { return part(k) + 16 * (6 * y + 3 * x + c) + k % 16; },
      [&](int k) { return part(k) + 192 + k % 16; });
}

// Two groups of 8 inputs and 16 outputs over 4 vMACs: a tap is a row of 8 words, rounded up to 16.
TEST(SnowflakeHost, TapsOfGroupsAreRowsOfTheirOwn) {
  const Program program =
      program_of(convolution(16, 16, 32, 2, 2, place(KernelOrder::cooperative, 4, 1, 8)), 8 * 4 * 80);
  check(
      program, [&](int k, int c, int y, int x) { return 80 * k + 16 * (2 * y + x) + c; },
      [&](int k) { return 80 * k + 64; });
}

// Depthwise, 16 on one vMAC together: 16 words a tap, all but its own zero.
TEST(SnowflakeHost, KernelsWrittenTogetherSpanTheirGroups) {
  const Program program =
      program_of(convolution(32, 32, 32, 3, 32, place(KernelOrder::independent, 1, 1, 16)), 2 * (2304 + 16));
  check(
      program,
      [&](int k, int /*c*/, int y, int x) { return 2320 * (k / 16) + 16 * (16 * (3 * y + x) + k % 16) + k % 16; },
      [&](int k) { return 2320 * (k / 16) + 2304 + k % 16; });
}

// Groups of 6 outputs and 16 kernels together don't divide each other: taps span the whole input.
TEST(SnowflakeHost, OtherGroupsAreDense) {
  const Program program =
      program_of(convolution(8, 16, 24, 1, 4, place(KernelOrder::cooperative, 16, 1, 16)), 2 * 16 * 32);
  check(
      program, [&](int k, int c, int /*y*/, int /*x*/) { return 32 * k + 2 * (k / 6) + c; },
      [&](int k) { return 32 * k + 16; });
}

TEST(SnowflakeHost, AveragePoolsGetReciprocals) {
  ProgramLayer layer = convolution(16, 16, 16, 3, 1, place(KernelOrder::cooperative, 1, 1));
  layer.kind = LayerKind::average_pool;
  layer.weights_fraction = 15;
  const Program program = program_of(layer, 16);
  const auto dram = dram_image(program, seeded_data(program, 1));
  const auto first = dram.begin() + program.regions[kernel_region].first_word;
  const std::vector<std::int16_t> expected{32767, 16384, 10923, 8192, 6554, 5461, 4681, 4096, 3641, 0};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first));
}

TEST(SnowflakeHost, MapsLieDepthMinor) {
  Program program = program_of(convolution(3, 3, 4, 1, 1, place(KernelOrder::cooperative, 4, 1)), 4 * 32);
  MapsPlace part = program.layers[0].out;
  part.region = out_region;
  part.offset = 1;
  part.channels = 2;
  reference::FixedTensor maps(network::Shape{2, {6, 6}});
  for (std::size_t i = 0; i < maps.values.size(); ++i) maps.values[i] = static_cast<std::int16_t>(i + 1);
  std::vector<std::int16_t> dram(static_cast<std::size_t>(program.dram_words));
  write_maps(dram, program, part, maps);
  const auto first = static_cast<std::size_t>(program.regions[out_region].first_word);
  EXPECT_EQ(dram[first + (2 * 6 + 5) * 4 + 1 + 1], maps.at(1, 2, 5));
  EXPECT_EQ(dram[first + (2 * 6 + 5) * 4 + 1 + 2], 0);
  EXPECT_EQ(read_maps(dram, program, part).values, maps.values);
}

TEST(SnowflakeHost, CodeLiesInItsBlocksLowHalfFirst) {
  Program program = program_of(convolution(3, 3, 4, 1, 1, place(KernelOrder::cooperative, 4, 1)), 4 * 32);
  program.code = {0x12345678, 0xcafe0001};
  program.blocks = {{1, 1, 10}, {0, 1, 20}};
  const auto dram = dram_image(program, seeded_data(program, 1));
  EXPECT_EQ(dram[10], 1);
  EXPECT_EQ(static_cast<std::uint16_t>(dram[11]), 0xcafe);
  EXPECT_EQ(dram[20], 0x5678);
  EXPECT_EQ(dram[21], 0x1234);
}

TEST(SnowflakeHost, TellsWhatTheMachineDidNotComputeRight) {
  const Program program = program_of(convolution(3, 3, 4, 1, 1, place(KernelOrder::cooperative, 4, 1)), 4 * 32);
  Diagnostics diagnostics;
  const auto run = run_and_compare(program, 1, diagnostics);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->equal());
  EXPECT_EQ(run->layers[0].never_written, 4 * 36);
  EXPECT_NE(run->text().find("never written"), std::string::npos) << run->text();
}

class SnowflakeHostRefusals : public testing::Test {
 protected:
  void refused(const std::string& what, const std::function<void(Program&)>& damage) {
    Program program = program_of(convolution(3, 3, 4, 3, 1, place(KernelOrder::cooperative, 4, 1)), 4 * 64);
    damage(program);
    Diagnostics diagnostics;
    EXPECT_FALSE(run_and_compare(program, 1, diagnostics)) << what;
    EXPECT_NE(diagnostics.text().find(what), std::string::npos) << diagnostics.text();
  }
};

TEST_F(SnowflakeHostRefusals, UnsoundLayers) {
  refused("outside DRAM", [](Program& p) { p.regions[1].first_word = p.dram_words; });
  refused("outside DRAM", [](Program& p) { p.regions[1].words = INT64_MAX; });
  refused("at most 1073741824", [](Program& p) { p.dram_words = INT64_MAX; });
  refused("has region 3", [](Program& p) { p.layers[0].in.region = 3; });
  refused("has region -1", [](Program& p) { p.layers[0].out.region = -1; });
  refused("kernel region 9", [](Program& p) { p.layers[0].kernels.region = 9; });
  refused("fit into its region", [](Program& p) { p.layers[0].in.offset = 1; });
  refused("fit into its region", [](Program& p) { p.layers[0].out.height = 60000; });
  refused("impossible size", [](Program& p) { p.layers[0].in.pitch = 2; });
  refused("impossible size", [](Program& p) { p.layers[0].in.width = 0; });
  refused("out of range", [](Program& p) { p.layers[0].stride_width = 0; });
  refused("out of range", [](Program& p) { p.layers[0].padding_top = -1; });
  refused("bits of fraction", [](Program& p) { p.layers[0].fraction = 16; });
  refused("2 groups", [](Program& p) { p.layers[0].groups = 2; });
  refused("impossible kernel tile", [](Program& p) { p.layers[0].kernels.vmacs = 0; });
  refused("words of kernels", [](Program& p) { p.layers[0].kernel_height = 4096; });
  refused("taps of 2 channels", [](Program& p) {
    p.regions[1].words = 1024;
    p.layers[0].kernels.span = 2;
  });
  refused("bypass of another size", [](Program& p) { p.layers[0].bypass = p.layers[0].in; });
  refused("another number of channels", [](Program& p) { p.layers[0].kind = LayerKind::max_pool; });
}

TEST_F(SnowflakeHostRefusals, DataThatDoNotFit) {
  const Program program = program_of(convolution(3, 3, 4, 3, 1, place(KernelOrder::cooperative, 4, 1)), 4 * 64);
  const auto refused_data = [&](const std::function<void(ProgramData&)>& damage) {
    ProgramData data = seeded_data(program, 1);
    damage(data);
    Diagnostics diagnostics;
    EXPECT_FALSE(run_and_compare(program, data, diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
  };
  refused_data([](ProgramData& data) { data.parameters.clear(); });
  refused_data([](ProgramData& data) { data.parameters[0].weights.pop_back(); });
  refused_data([](ProgramData& data) { data.parameters[0].bias.push_back(0); });
  refused_data([](ProgramData& data) { data.inputs.clear(); });
  refused_data([](ProgramData& data) { data.inputs[0].shape.maps = 4; });
}

}  // namespace
}  // namespace convscope::snowflake
