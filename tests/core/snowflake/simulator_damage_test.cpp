// Any words at all may be run: the simulator ends, with a refusal or without, and timing doesn't depend on data.

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "core/snowflake/host/run.h"
#include "core/snowflake/simulate/recording.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

/// Any bits, or mostly legal instructions: few branches, and those short, else most programs end at once.
std::uint32_t random_word(std::mt19937& random, bool legal) {
  auto word = static_cast<std::uint32_t>(random());
  if (!legal) return word;
  constexpr std::array<std::uint32_t, 20> opcodes{0, 1, 2, 3, 3, 4, 5, 6, 6, 6, 6, 7, 8, 8, 12, 12, 12, 6, 6, 6};
  const std::uint32_t opcode = random() % 30 == 0 ? 9 + random() % 3 : opcodes[random() % opcodes.size()];
  word = opcode << 28 | (word & 0x0fffffff);
  if (opcode >= 9 && opcode <= 11) return (word & 0xf7fff000) | random() % 12;
  if (random() % 16 != 0) {
    if (opcode == 6) word &= ~0x700U;   // a length that fits a buffer
    if (opcode == 7) word |= 15;        // whole vectors
    if (opcode == 8) word &= ~0xffeU;   // a selection that there is
    if (opcode == 12) word &= ~0xf08U;  // a target, a CU and a vMAC that there are
  }
  // The configuration stays as it is, mostly.
  const std::uint32_t rd = word >> 22 & 31;
  return opcode <= 5 && rd == configuration_register && random() % 8 != 0 ? word ^ 1U << 22 : word;
}

/// Registers with numbers of all sizes that fit something, then random words.
Program random_words(std::uint32_t seed) {
  std::mt19937 random(seed);
  HandProgram hand(1 << 16);
  for (int r = 1; r < registers; ++r) {
    const std::uint32_t bits = random() % 14;
    hand.set(r, static_cast<int>(random() % (1U << bits)) - (random() % 40 == 0 ? 1 << 10 : 0));
  }
  hand.configure(configuration(static_cast<std::uint32_t>(random() & 0x0f00f1)));
  const bool legal = random() % 8 != 0;
  for (int i = 0; i < 200; ++i) hand.program.code.push_back(random_word(random, legal));
  hand.halt();
  return hand.finished();
}

TEST(SnowflakeDamage, RandomWordsEnd) {
  SimulationOptions options;
  options.instruction_budget = 5000;
  std::int64_t issued = 0, vectors = 0, loads = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Program program = random_words(seed);
    const auto timing = simulate(program, options);
    std::vector<std::int16_t> dram(static_cast<std::size_t>(program.dram_words));
    const auto data = simulate(program, dram, nullptr, options);
    ASSERT_EQ(timing.cycles, data.cycles) << seed;
    ASSERT_EQ(timing.refusal.has_value(), data.refusal.has_value()) << seed;
    if (timing.refusal) {
      ASSERT_EQ(timing.refusal->what, data.refusal->what) << seed;
    }
    issued += timing.total.instructions;
    vectors += timing.total.vector_instructions;
    loads += timing.total.loads;
  }
  // The programs come far enough to mean something.
  EXPECT_GT(issued, 500 * 34);
  EXPECT_GT(vectors, 200);
  EXPECT_GT(loads, 50);
}

TEST(SnowflakeDamage, BlocksThatAreNotThere) {
  Program program;
  program.dram_words = 4096;
  program.code = {0, 0, 0};
  for (const CodeBlock& block : {CodeBlock{-5, 3, 0}, CodeBlock{2, 5, 0}, CodeBlock{0, -1, 0}, CodeBlock{0, 3, -7},
                                 CodeBlock{INT32_MAX, INT32_MAX, INT64_MAX}}) {
    program.blocks = {block};
    EXPECT_TRUE(simulate(program).refusal);
    EXPECT_EQ(dram_image(program, {}).size(), 4096U);
  }
}

TEST(SnowflakeDamage, RangesThatAreNotThere) {
  HandProgram hand;
  hand.nop(3);
  hand.halt();
  Program program = hand.finished();
  program.ranges = {{CodeRange::Kind::window, -3, 5, 7, 1, 0},
                    {CodeRange::Kind::window, 2, INT32_MAX, -1, 1, 0},
                    {CodeRange::Kind::window, INT32_MAX, INT32_MAX, 0, 1, 0}};
  EXPECT_EQ(simulate(program).cycles, 4);
  EXPECT_EQ(record(program).result.cycles, 4);
}

}  // namespace
}  // namespace convscope::snowflake
