// Convolution tiles written by hand, run with data and compared with the reference.

#include <gtest/gtest.h>

#include "core/snowflake/host/run.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

constexpr int in_region = 0, kernel_region = 1, out_region = 2;

/// A layer with its regions behind each other from word 8192.
void add_layer(Program& program, ProgramLayer layer, std::int64_t kernel_words) {
  const std::int64_t in_words = std::int64_t{layer.in.height} * layer.in.width * layer.in.pitch;
  const std::int64_t out_words = std::int64_t{layer.out.height} * layer.out.width * layer.out.pitch;
  layer.in.region = in_region;
  layer.kernels.region = kernel_region;
  layer.out.region = out_region;
  std::int64_t at = 8192;
  const auto region = [&](const char* name, RegionKind kind, std::int64_t words) {
    program.regions.push_back({name, kind, at, words, 0, 0});
    at += words;
  };
  region("input", RegionKind::input, in_words);
  region("kernels", RegionKind::kernels, kernel_words);
  region("output", RegionKind::output, out_words);
  program.layers.push_back(layer);
}

ProgramLayer row_layer(KernelOrder order, int outputs, int vmacs) {
  ProgramLayer layer;
  layer.name = "row";
  layer.in = {-1, 0, 3, 5, 16, 16};
  layer.out = {-1, 0, 1, 3, outputs, outputs};
  layer.kernel_height = layer.kernel_width = 3;
  layer.relu = true;
  layer.kernels.order = order;
  layer.kernels.vmacs = vmacs;
  return layer;
}

void compare(const Program& program) {
  Diagnostics diagnostics;
  const auto run = run_and_compare(program, 7, diagnostics);
  ASSERT_TRUE(run) << diagnostics.text();
  EXPECT_TRUE(run->equal()) << run->text();
  const auto timing = simulate(program);
  EXPECT_EQ(timing.cycles, run->result.cycles);
}

// One row of 3 pixels, 3x3 kernels of 16 channels, 16 output channels over 16 vMACs; r1: maps, r2: kernels, r3: output.
TEST(SnowflakeTile, CooperativeMacsComputeARow) {
  HandProgram hand;
  const ProgramLayer layer = row_layer(KernelOrder::cooperative, 16, 16);
  const int kernel_words = 9 * 16, part = kernel_words + 16;
  add_layer(hand.program, layer, 16 * part);
  const auto first = [&](int region) {
    return static_cast<int>(hand.program.regions[static_cast<std::size_t>(region)].first_word);
  };
  Configuration configuration = writing(4, 8);
  configuration.relu = true;
  hand.configure(configuration);
  hand.set(cu_stride_register, 4);
  hand.set(4, first(in_region));
  hand.set(5, 3 * 5 * 16);
  hand.set(6, part);
  hand.settle();
  hand.load(LoadTarget::maps, 0, 4, 5, 0, 0, 0, true);
  for (int g = 0; g < 16; ++g) {
    hand.set(4, first(kernel_region) + g * part);
    hand.load(LoadTarget::kernels, 0, 4, 6, g % 4, g / 4, g % 4);
  }
  hand.set(2, kernel_words);
  hand.bias(2);
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) {
      hand.set(1, (y * 5 + x) * 16);
      hand.set(2, y * 48);
      hand.set(3, first(out_region) + x * 16);
      hand.mac(3, 1, 2, 48, y == 2);
    }
  hand.halt();
  compare(hand.finished());
}

// The same with 64 output channels as 4 groups of 16 in CU 0 alone.
TEST(SnowflakeTile, IndependentMacsComputeARow) {
  HandProgram hand;
  const ProgramLayer layer = row_layer(KernelOrder::independent, 64, 4);
  const int kernel_words = 9 * 16 * 16, part = kernel_words + 16;
  add_layer(hand.program, layer, 4 * part);
  const auto first = [&](int region) {
    return static_cast<int>(hand.program.regions[static_cast<std::size_t>(region)].first_word);
  };
  Configuration configuration = writing(1, 8);
  configuration.relu = true;
  hand.configure(configuration);
  hand.set(4, first(in_region));
  hand.set(5, 3 * 5 * 16);
  hand.set(6, part);
  hand.settle();
  hand.load(LoadTarget::maps, 0, 4, 5, 0);
  for (int v = 0; v < 4; ++v) {
    hand.set(4, first(kernel_region) + v * part);
    hand.load(LoadTarget::kernels, 0, 4, 6, v, 0, v);
  }
  hand.set(2, kernel_words);
  hand.bias(2, false);
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y) {
      hand.set(1, (y * 5 + x) * 16);
      hand.set(2, y * 48 * 16);
      hand.set(3, first(out_region) + x * 64);
      hand.mac(3, 1, 2, 48, y == 2, true);
    }
  hand.halt();
  compare(hand.finished());
}

}  // namespace
}  // namespace convscope::snowflake
