// Convolution tiles written by hand, run with data and compared with the reference.

#include <algorithm>

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

/// DRAM with seeded words; the machine's result is looked up in it.
struct Words {
  explicit Words(std::size_t size) : dram(size) {
    for (std::size_t i = 0; i < size; ++i) dram[i] = reference::seeded_word(3, i, 3000);
    before = dram;
  }
  std::int64_t in(int word) const { return before[static_cast<std::size_t>(word)]; }
  int out(int word) const { return dram[static_cast<std::size_t>(word)]; }
  void run(HandProgram& hand) {
    hand.halt();
    const auto result = simulate(hand.finished(), dram, nullptr);
    ASSERT_FALSE(result.refusal) << result.refusal->what;
  }
  std::vector<std::int16_t> dram, before;
};

int saturated(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, -32768, 32767));
}

/// Fills words 0 to 1023 of all maps buffers with DRAM word 1024 + 1024 * CU on, and the kernel buffer of vMAC v of CU
/// c with 8192 + 1024 * (4c + v) on. Then register r of 1 to 3 is 0.
void fill_buffers(HandProgram& hand) {
  hand.set(2, 1024);
  for (int c = 0; c < 4; ++c) {
    hand.set(1, 1024 + 1024 * c);
    hand.load(LoadTarget::maps, 0, 1, 2, c, c);
    for (int v = 0; v < 4; ++v) {
      hand.set(1, 8192 + 1024 * (4 * c + v));
      hand.load(LoadTarget::kernels, 0, 1, 2, v, c, v);
    }
  }
}
int maps_word(int cu, int word) {
  return 1024 + 1024 * cu + word;
}
int kernel_word(int cu, int vmac, int word) {
  return 8192 + 1024 * (4 * cu + vmac) + word;
}
constexpr int out_word = 40000;

// VMOV's selections: one word a vMAC for cooperative MACs, a vector for independent ones; the same for all CUs or not.
TEST(SnowflakeTile, BypassAndBiasComeWhereTheSelectionSays) {
  for (int select = 0; select < 4; ++select) {
    const bool independent = select >= 2;
    HandProgram hand(1 << 16);
    fill_buffers(hand);
    hand.configure(writing(4, 4));
    hand.set(cu_stride_register, 64);
    hand.set(4, 100);
    hand.set(5, 7);
    hand.set(6, out_word);
    hand.set(7, 300);
    hand.settle();
    hand.bias(7, !independent);
    hand.bypass(4, select);
    hand.mac(6, 5, 5, 1, true, independent);
    Words words(1 << 16);
    words.run(hand);
    for (int c = 0; c < 4; ++c)
      for (int v = 0; v < 4; ++v)
        for (int j = 0; j < (independent ? 16 : 1); ++j) {
          const int vmac = select == 0 || select == 3 ? 4 * c + v : v;
          const int from = 100 + (independent ? 16 * vmac + j : vmac);
          const std::int64_t added = words.in(maps_word(c, from)) + words.in(kernel_word(c, v, 300 + j));
          const std::int64_t sum = words.in(maps_word(c, 7)) * words.in(kernel_word(c, v, 7 + j));
          EXPECT_EQ(words.out(out_word + 64 * c + (independent ? 16 * v + j : v)),
                    saturated((sum + added * 16 + 8) >> 4))
              << select << ' ' << c << ' ' << v << ' ' << j;
        }
  }
}

// The bypass is used once, the bias until the next.
TEST(SnowflakeTile, TheBypassIsUsedOnce) {
  HandProgram hand(1 << 16);
  fill_buffers(hand);
  hand.configure(writing(1));
  hand.set(4, 100);
  hand.set(6, out_word);
  hand.set(7, out_word + 16);
  hand.settle();
  hand.bias(4);
  hand.bypass(4, 0);
  hand.mac(6, 0, 0, 1, true);
  hand.mac(7, 0, 0, 1, true);
  Words words(1 << 16);
  words.run(hand);
  for (int v = 0; v < 4; ++v) {
    const std::int64_t sum = words.in(maps_word(0, 0)) * words.in(kernel_word(0, v, 0));
    const std::int64_t bias = words.in(kernel_word(0, v, 100)), bypass = words.in(maps_word(0, 100 + v));
    EXPECT_EQ(words.out(out_word + v), saturated(sum + bias + bypass));
    EXPECT_EQ(words.out(out_word + 16 + v), saturated(sum + bias));
  }
}

TEST(SnowflakeTile, MaximaAndAveragesHopOverPixels) {
  HandProgram hand(1 << 16);
  fill_buffers(hand);
  Configuration configuration = writing(3, 3);
  configuration.hop = 5;
  configuration.lanes = true;
  hand.configure(configuration);
  hand.set(cu_stride_register, -100);
  hand.set(4, 33);
  hand.set(5, 9);
  hand.set(6, out_word);
  hand.set(7, out_word + 1000);
  hand.settle();
  hand.max(6, 4, 3 * 16, false);
  hand.max(6, 5, 16, true);
  hand.mac(7, 4, 5, 3 * 16, true);
  Words words(1 << 16);
  words.run(hand);
  for (int c = 0; c < 3; ++c)
    for (int j = 0; j < 16; ++j) {
      std::int64_t largest = words.in(maps_word(c, 9 + j)), sum = 0;
      for (int k = 0; k < 3; ++k) {
        const std::int64_t word = words.in(maps_word(c, 33 + 80 * k + j));
        largest = std::max(largest, word);
        sum += word * words.in(kernel_word(c, 0, 9));
      }
      EXPECT_EQ(words.out(out_word - 100 * c + j), largest);
      EXPECT_EQ(words.out(out_word + 1000 - 100 * c + j), saturated((sum + 4) >> 3));
    }
  EXPECT_EQ(words.out(out_word - 300), words.in(out_word - 300)) << "CU 3 is masked";
}

// LDs to all CUs, to the second bank, and in two pieces.
TEST(SnowflakeTile, LoadsGoToAllUnitsAndBothBanks) {
  HandProgram hand(1 << 16);
  hand.configure(writing(4));
  hand.set(cu_stride_register, 4);
  hand.set(2, 32);
  hand.set(4, 32768 + 5);
  hand.set(5, 4224 + 3);
  hand.set(6, out_word);
  hand.set(7, 1000);
  hand.settle();
  hand.load(LoadTarget::maps, 4, 7, 2, 0, 0, 0, true);
  for (int v = 0; v < 4; ++v) hand.load(LoadTarget::kernels, 5, 7, 2, v, 0, v, true);
  hand.mac(6, 4, 5, 32, true);
  Words words(1 << 16);
  words.run(hand);
  std::int64_t sum = 0;
  for (int i = 0; i < 32; ++i) sum += words.in(1000 + i) * words.in(1000 + i);
  for (int c = 0; c < 4; ++c)
    for (int v = 0; v < 4; ++v) EXPECT_EQ(words.out(out_word + 4 * c + v), saturated(sum));
}

}  // namespace
}  // namespace convscope::snowflake
