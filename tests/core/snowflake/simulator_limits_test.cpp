// What holds for every program: limits of time, and more bandwidth is never worse.

#include <random>

#include <gtest/gtest.h>

#include "core/snowflake/simulate/simulator.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

constexpr int slots = 8, slot_words = 512, kernel_slot_words = 1024;

/// Tiles of random length: each step loads one of eight slots of maps and of kernels, and computes with the slots of
/// the step before. A slot is loaded again only after more than a queue of instructions behind its last reader.
Program random_program(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t limit) { return static_cast<int>(random() % limit); };
  HandProgram hand(1 << 20);
  hand.configure(writing(4));
  hand.set(cu_stride_register, 64);
  const int kernels_each = 1 + below(4);
  for (int step = 0; step < 16; ++step) {
    hand.set(1, step % slots * slot_words);
    hand.set(2, 32 + below(480));
    hand.set(3, 10000 + below(100000));
    hand.set(4, step % slots * kernel_slot_words);
    hand.settle();
    hand.load(LoadTarget::maps, 1, 3, 2, below(4), 0, 0, true);
    for (int k = 0; k < kernels_each; ++k) hand.load(LoadTarget::kernels, 4, 3, 2, below(4), k, below(4));
    hand.set(5, (step + slots - 1) % slots * slot_words);
    hand.set(6, (step + slots - 1) % slots * kernel_slot_words);
    hand.set(7, 500000 + step * 1000);
    for (int i = 0; i < 6; ++i) hand.mac(7, 5, 6, 16 * (1 + below(4)), i == 5 || below(3) == 0, below(2) == 0);
  }
  hand.halt();
  return hand.finished();
}

class SnowflakeLimits : public testing::TestWithParam<std::uint32_t> {};

TEST_P(SnowflakeLimits, NoProgramIsFasterThanItsMacsOrItsBytes) {
  const Program program = random_program(GetParam());
  const auto result = simulate(program);
  ASSERT_FALSE(result.refusal) << result.refusal->what;
  const Machine& machine = program.machine;
  EXPECT_GE(result.cycles * machine.macs_per_cycle(), static_cast<double>(result.total.macs));
  EXPECT_GE(result.cycles / machine.clock_hz * machine.bandwidth, static_cast<double>(result.total.all_bytes()));
  double slowest_unit = 0;
  for (const UnitRun& unit : result.units) slowest_unit = std::max(slowest_unit, static_cast<double>(unit.bytes));
  EXPECT_GE(result.cycles / machine.clock_hz * machine.unit_bandwidth, slowest_unit);
}

TEST_P(SnowflakeLimits, TwiceTheBandwidthIsNeverSlower) {
  Program program = random_program(GetParam());
  const auto once = simulate(program);
  program.machine.bandwidth *= 2;
  program.machine.unit_bandwidth *= 2;
  const auto twice = simulate(program);
  ASSERT_FALSE(twice.refusal) << twice.refusal->what;
  EXPECT_LE(twice.cycles, once.cycles);
  EXPECT_EQ(twice.total.bytes, once.total.bytes);
}

TEST_P(SnowflakeLimits, TheSameProgramTakesTheSameTime) {
  const Program program = random_program(GetParam());
  std::vector<std::int16_t> dram(static_cast<std::size_t>(program.dram_words));
  const auto timing = simulate(program), data = simulate(program, dram, nullptr);
  EXPECT_EQ(timing.cycles, data.cycles);
  EXPECT_EQ(timing.total.vector_stall_cycles, data.total.vector_stall_cycles);
}

INSTANTIATE_TEST_SUITE_P(Random, SnowflakeLimits, testing::Range(0U, 60U));

}  // namespace
}  // namespace convscope::snowflake
