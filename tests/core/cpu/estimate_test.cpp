#include "core/cpu/estimate/estimate.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/cpu/estimate/traffic.h"

namespace convscope::cpu {
namespace {

// 8x8x16 -> 32, 3x3: image 4 KiB, kernel 18 KiB, output 8 KiB.
Problem stem() {
  Problem p;
  p.height = p.width = 8;
  p.channels = 16;
  p.kernels = 32;
  p.kernel_height = p.kernel_width = 3;
  p.pad_top = p.pad_left = p.pad_bottom = p.pad_right = 1;
  return p;
}

// m by 16, h, w by 4, y, x, c around a tile of 4 pixels and two vectors of 8 floats.
Nest nest() {
  using Place = NestLoop::Place;
  Nest n;
  n.problem = stem();
  n.family = Family::avx2;
  n.lanes = 8;
  n.pixels = 4;
  n.vectors = 2;
  n.loops = {{"mo", 'M', 2, 16},
             {"h", 'H', 8, 1},
             {"wo", 'W', 2, 4},
             {"y", 'Y', 3, 1, Place::microkernel},
             {"x", 'X', 3, 1, Place::microkernel},
             {"c", 'C', 16, 1, Place::microkernel},
             {"w", 'W', 4, 1, Place::tile},
             {"m", 'M', 2, 8, Place::tile}};
  n.calls = 2 * 8 * 2;
  n.iterations = n.calls * 3 * 3 * 16;
  n.body = {.fmas = 8, .loads = 2, .broadcasts = 4, .others = 1, .chains = 8, .registers = 11};
  n.image = Layout{"HWC"};
  n.kernel = Layout{"MYXC", 'M', 16};
  n.output = Layout{"HWM"};
  return n;
}

constexpr double image = 8 * 8 * 16 * 4, kernel = 32 * 9 * 16 * 4, output = 8 * 8 * 32 * 4;

TEST(Traffic, FootprintsGrowOutwardsToTheWholeTensors) {
  const auto at = footprints(nest());
  ASSERT_EQ(at.size(), 9u);
  EXPECT_EQ(at[0].image, image);
  EXPECT_EQ(at[0].kernel, kernel);
  EXPECT_EQ(at[0].output, output);
  EXPECT_EQ(at[1].kernel, kernel / 2) << "of half the kernels";
  EXPECT_EQ(at[1].image, image);
  EXPECT_EQ(at[2].image, image * 3 / 8) << "three rows";
  EXPECT_EQ(at[6].image, 4 * 64) << "a line for each of four pixels";
  EXPECT_EQ(at[6].output, 4 * 16 * 4);
  for (std::size_t i = 1; i < at.size(); ++i) EXPECT_LE(at[i].all(), at[i - 1].all());
}

TEST(Traffic, ConvolutionsThatFitMoveNothing) {
  const auto at = footprints(nest());
  EXPECT_EQ(traffic(nest(), at, 1 << 20), 0);
  EXPECT_GT(traffic(nest(), at, static_cast<std::int64_t>(at[0].all()) - 1), 0);
}

TEST(Traffic, KernelsStayWhereHalfOfThemFit) {
  // Half the kernels fit with the image: each half comes once, the image once, as it stays in between.
  const auto at = footprints(nest());
  const double bytes = traffic(nest(), at, static_cast<std::int64_t>(at[1].all()));
  EXPECT_EQ(bytes, kernel + image + 2 * output);
}

TEST(Traffic, KernelsComeAgainForEachRowWhereTheyDoNotFit) {
  // Only what a tile's loops x and c touch fits.
  const auto at = footprints(nest());
  const double bytes = traffic(nest(), at, static_cast<std::int64_t>(at[4].all()));
  EXPECT_GE(bytes, 16 * kernel) << "8 rows of 2 tiles";
}

TEST(Traffic, StreamedOutputsAreNotReadFirst) {
  Nest streamed = nest();
  streamed.streaming = true;
  const auto at = footprints(nest());
  const auto capacity = static_cast<std::int64_t>(at[1].all());
  EXPECT_EQ(traffic(nest(), at, capacity) - traffic(streamed, at, capacity), output);
}

TEST(Estimate, FmasBindWhereEverythingElseIsEnough) {
  const Estimate e = estimate(nest(), {});
  EXPECT_STREQ(part_names[e.binds], "FMA");
  EXPECT_DOUBLE_EQ(e.parts[0], nest().iterations * 8 / 2 / 3e9);
  EXPECT_GT(e.seconds, e.parts[0]);
  EXPECT_EQ(e.spilled, 0);
}

TEST(Estimate, EachPartBindsWhenItsResourceIsScarce) {
  const auto binding = [](const Nest& n, const CpuMachine& m) { return part_names[estimate(n, m).binds]; };
  CpuMachine loads;
  loads.loads = .5;
  EXPECT_STREQ(binding(nest(), loads), "loads");
  CpuMachine issue;
  issue.issue = 1;
  EXPECT_STREQ(binding(nest(), issue), "issue");
  Nest chained = nest();
  chained.body.chains = 1;
  EXPECT_STREQ(binding(chained, {}), "latency");
  for (std::size_t level = 0; level < 4; ++level) {
    CpuMachine memory;
    memory.l1.bytes = 4096;
    memory.l2.bytes = 8192;
    memory.l3.bytes = 16384;
    MemoryLevel* levels[] = {&memory.l1, &memory.l2, &memory.l3, &memory.dram};
    levels[level]->bandwidth = 1e8;
    EXPECT_STREQ(binding(nest(), memory), memory_names[level]);
  }
}

TEST(Estimate, RegistersTooManyAreSpilled) {
  Nest wide = nest();
  wide.body.registers = 20;
  const Estimate e = estimate(wide, {});
  EXPECT_EQ(e.spilled, 4);
  EXPECT_GT(e.parts[1], estimate(nest(), {}).parts[1]);
}

TEST(Estimate, PrefetchesAreLoads) {
  Nest ahead = nest();
  ahead.body.prefetches = 4;
  const Estimate e = estimate(ahead, {}), without = estimate(nest(), {});
  EXPECT_DOUBLE_EQ(e.parts[1] - without.parts[1], 4 * ahead.iterations / (2 * CpuMachine().clock_hz));
  EXPECT_GT(e.parts[2], without.parts[2]) << "issue";
}

TEST(Estimate, ACallTakesAMoment) {
  const Estimate e = estimate(nest(), {});
  EXPECT_DOUBLE_EQ(e.calls, nest().calls * call_cycles / CpuMachine().clock_hz);
  Nest often = nest();
  often.calls *= 2;
  EXPECT_GE(estimate(often, {}).seconds, e.seconds + e.calls);
}

TEST(Estimate, TheFirstOfAllReadingsOfWeightsWaits) {
  const double from_memory = kernel / CpuMachine().dram.bandwidth;
  EXPECT_DOUBLE_EQ(estimate(nest(), {}).waiting, from_memory * (1 - 1.0 / 16)) << "8 rows of 2 tiles read them again";
  Nest ahead = nest();
  ahead.prefetches_next = true;
  EXPECT_EQ(estimate(ahead, {}).waiting, 0);
  Nest once = nest();
  once.loops[1].trips = once.loops[2].trips = 1;
  EXPECT_EQ(estimate(once, {}).waiting, 0);
  Nest inside = nest();  // kernels are the loop inside of rows
  std::rotate(inside.loops.begin(), inside.loops.begin() + 1, inside.loops.begin() + 3);
  EXPECT_DOUBLE_EQ(estimate(inside, {}).waiting, from_memory * (1 - 1.0 / 16));
}

TEST(Estimate, StreamingIsNoFasterThanReadingLinesFirst) {
  CpuMachine small;
  small.l1.bytes = 4096;
  small.l2.bytes = 8192;
  small.l3.bytes = 16384;
  Nest streaming = nest();
  streaming.streaming = true;
  const Estimate around = estimate(streaming, small), through = estimate(nest(), small);
  EXPECT_EQ(around.parts[7], through.parts[7]);
  EXPECT_LT(around.bytes[3], through.bytes[3]);
}

TEST(Estimate, ThreadsShareTheWorkAndTheMemory) {
  CpuMachine small;
  small.l1.bytes = 4096;
  small.l2.bytes = small.l3.bytes = 0;
  Nest two = nest();
  two.threads = 2, two.largest_share = .5;
  const Estimate alone = estimate(nest(), small), shared = estimate(two, small);
  EXPECT_DOUBLE_EQ(shared.parts[0], alone.parts[0] / 2);
  EXPECT_EQ(shared.parts[7], alone.parts[7]) << "DRAM";
  Nest three = nest();
  three.threads = 3, three.largest_share = .5;
  EXPECT_DOUBLE_EQ(estimate(three, small).parts[0], alone.parts[0] / 2) << "two trips";
}

TEST(Estimate, CopiesAreNotOverlapped) {
  Nest copying = nest();
  copying.temporary_bytes = 1 << 20;
  const Estimate e = estimate(copying, {});
  EXPECT_DOUBLE_EQ(e.seconds, estimate(nest(), {}).seconds + e.copying);
  EXPECT_GT(e.copying, 0);
}

}  // namespace
}  // namespace convscope::cpu
