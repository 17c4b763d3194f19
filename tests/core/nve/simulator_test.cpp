// What must work: programs by hand and built ones against a plain loop, on machines of many shapes.
#include "core/nve/simulate/simulator.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/nve/verify/verify_program.h"
#include "tests/core/nve/architecture_hand_programs.h"

namespace convscope::nve {
namespace {

void expect_right(const Program& program) {
  Diagnostics diagnostics;
  EXPECT_TRUE(verify_program(program, diagnostics)) << diagnostics.text();
  const hand::Execution execution = hand::execute(program);
  ASSERT_FALSE(execution.run.hazard) << execution.run.hazard->field << ' ' << execution.run.hazard->cycle << ' '
                                     << execution.run.hazard->text;
  EXPECT_EQ(execution.outputs, execution.expected);
  EXPECT_EQ(execution.run.cycles, program.cycles_per_strip());
  EXPECT_EQ(execution.run.macs, program.macs_per_strip());
  EXPECT_EQ(execution.run.load_cycles, static_cast<std::int64_t>(program.words.size()));
  const std::set<std::uint8_t> different(execution.expected.begin(), execution.expected.end());
  EXPECT_GT(different.size(), 8U) << "the expected result must show something";
}

TEST(Simulator, OneByOneByHand) {
  const Program program = hand::program(hand::one_by_one);
  expect_right(program);
  EXPECT_EQ(program.cycles_per_strip(), 4 + 8 * 4 + 5);
  EXPECT_EQ(program.macs_per_strip(), 16 * 4);
  EXPECT_EQ(program.words_in_per_strip(), 3 + 2 * 4);
  EXPECT_EQ(program.words_out_per_strip(), 2 * 4 + 2);
}

TEST(Simulator, ThreeByThreeByHand) {
  const Program program = hand::program(hand::three_by_three);
  expect_right(program);
  EXPECT_EQ(program.macs_per_strip(), 16 * 9 * 5);
}

TEST(Simulator, EveryMachineShape) {
  for (MemoryKind memory : {MemoryKind::true_dual_port, MemoryKind::simple_dual_port, MemoryKind::two_banks})
    for (int lanes : {4, 8, 16, 32, 64})
      for (int bits : {64, 128})
        for (int stride : {1, 2, 3, 8}) {
          Machine machine;
          machine.memory = memory;
          machine.lanes = lanes;
          machine.port_bits = bits;
          SCOPED_TRACE(testing::Message() << "memory " << static_cast<int>(memory) << " lanes " << lanes << " bits "
                                          << bits << " stride " << stride);
          expect_right(hand::build_one_by_one(machine, stride));
        }
}

TEST(Simulator, EveryLatency) {
  for (int write_to_read : {1, 2, 8})
    for (int read_to_set : {1, 2, 8})
      for (int set_to_use : {1, 2, 3, 4})
        for (int output : {1, 3, 8}) {
          Machine machine;
          machine.write_to_read = write_to_read;
          machine.read_to_set = read_to_set;
          machine.set_to_use = set_to_use;
          machine.output_latency = output;
          SCOPED_TRACE(testing::Message() << write_to_read << read_to_set << set_to_use << output);
          expect_right(hand::build_one_by_one(machine, 2));
        }
}

TEST(Simulator, StallsAreCountedApart) {
  const Program program = hand::program(hand::one_by_one);
  Host host;
  host.supply = [](const StreamWord&, std::int64_t, std::span<std::uint8_t>) {};
  host.accept = [](const OutputWord&, std::int64_t, std::span<const std::uint8_t>) {};
  host.input_stall = [](std::int64_t access) { return access == 1 ? 7 : 0; };
  host.output_stall = [](std::int64_t access) { return access % 2 == 0 ? 1 : 0; };
  const StripRun run = run_strip(program, hand::activation(), host);
  ASSERT_FALSE(run.hazard);
  EXPECT_EQ(run.cycles, program.cycles_per_strip());
  EXPECT_EQ(run.input_stalls, 7);
  EXPECT_EQ(run.output_stalls, 5) << "one for every other of ten ACTs";
}

TEST(Simulator, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const Host host{.supply = [](const StreamWord&, std::int64_t, std::span<std::uint8_t>) {},
                  .accept = [](const OutputWord&, std::int64_t, std::span<const std::uint8_t>) {}};
  EXPECT_EQ(run_strip(hand::program(hand::one_by_one), hand::activation(), host, source.get_token()).cycles, 0);
}

TEST(Simulator, ActivationClamps) {
  Program program = hand::program(hand::one_by_one);
  program.activation_shift = 0;
  const hand::Execution execution = hand::execute(program);
  ASSERT_FALSE(execution.run.hazard);
  EXPECT_EQ(execution.outputs, execution.expected);
  EXPECT_NE(std::count(execution.outputs.begin(), execution.outputs.end(), 255), 0)
      << "values beyond the table are clamped";
}

}  // namespace
}  // namespace convscope::nve
