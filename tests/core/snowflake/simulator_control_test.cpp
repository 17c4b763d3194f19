// Exact cycles of the control pipeline.

#include <gtest/gtest.h>

#include "tests/core/snowflake/event_log.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

SimulationResult run_control(HandProgram& hand, EventLog& log) {
  SimulationResult result = watch(hand.finished(), log);
  EXPECT_FALSE(result.refusal) << result.refusal->what;
  return result;
}

TEST(SnowflakeControl, IssuesOneInstructionACycle) {
  HandProgram hand;
  hand.nop(10);
  const int halt = hand.halt();
  EventLog log;
  const auto result = run_control(hand, log);
  EXPECT_EQ(log.issue_of(halt), 10);
  EXPECT_EQ(result.cycles, 11);
  EXPECT_EQ(result.total.instructions, 11);
}

TEST(SnowflakeControl, ReadsAResultFourCyclesAfterItsIssue) {
  HandProgram hand;
  hand.set(1, 5);
  const int reader = hand.add(2, 1, -7);
  hand.nop(2);
  const int later = hand.add(3, 2, 1);
  hand.halt();
  EventLog log;
  const auto result = run_control(hand, log);
  EXPECT_EQ(log.issue_of(reader), 4);
  EXPECT_EQ(log.issue_of(later), 8);
  EXPECT_EQ(result.total.stalled(ControlStall::raw), 3 + 1);
  EXPECT_EQ(log.values[3], -1);
}

TEST(SnowflakeControl, ComputesScalars) {
  HandProgram hand;
  hand.set(1, -3);
  hand.set(2, 7);
  hand.set(0, 9);  // register 0 stays 0
  hand.settle();
  hand.emit(Opcode::mov, false, 3, 2, 4, 0);  // 7 << 4
  hand.emit(Opcode::add, false, 4, 1, 2, 0);
  hand.emit(Opcode::mul, false, 5, 1, 2, 0);
  hand.emit(Opcode::muli, false, 6, 1, 0, 65535);
  hand.emit(Opcode::addi, false, 7, 0, 0, 65535);
  hand.emit(Opcode::mov, false, 8, 1, 31, 0);  // wraps around at 32 bits
  hand.set(9, -4194304);
  hand.halt();
  EventLog log;
  run_control(hand, log);
  EXPECT_EQ(log.values[3], 112);
  EXPECT_EQ(log.values[4], 4);
  EXPECT_EQ(log.values[5], -21);
  EXPECT_EQ(log.values[6], -3 * 65535);
  EXPECT_EQ(log.values[7], 65535);
  EXPECT_EQ(log.values[8], INT32_MIN);
  EXPECT_EQ(log.values[9], -4194304);
}

// Each turn: decrement, three NOPs until it can be read, branch, four slots.
TEST(SnowflakeControl, RunsTheDelaySlotsOfEveryTurn) {
  HandProgram hand;
  hand.set(1, 3);
  hand.settle();
  const int top = hand.add(1, 1, -1);
  hand.nop(3);
  const int branch = hand.branch(Opcode::bgt, 1, 0, -4);
  const int slot = hand.add(2, 2, 1);
  hand.nop(3);
  hand.halt();
  EventLog log;
  const auto result = run_control(hand, log);
  EXPECT_EQ(result.cycles, 5 + 3 * 9 + 1);
  EXPECT_EQ(log.values[2], 3);
  EXPECT_EQ(result.total.stalled(ControlStall::raw), 0);
  EXPECT_EQ(std::ranges::count(log.issues, top, &EventLog::Issue::instruction), 3);
  EXPECT_EQ(std::ranges::count(log.issues, branch, &EventLog::Issue::instruction), 3);
  EXPECT_EQ(std::ranges::count(log.issues, slot, &EventLog::Issue::instruction), 3);
}

class SnowflakeBranch : public testing::TestWithParam<std::tuple<Opcode, int, int, bool>> {};

TEST_P(SnowflakeBranch, ComparesSigned) {
  const auto [opcode, left, right, taken] = GetParam();
  HandProgram hand;
  hand.set(1, left);
  hand.set(2, right);
  hand.settle();
  hand.branch(opcode, 1, 2, 6);
  hand.nop(4);
  hand.set(3, 1);  // skipped if taken
  hand.halt();
  EventLog log;
  run_control(hand, log);
  EXPECT_EQ(log.values[3], taken ? 0 : 1);
}

INSTANTIATE_TEST_SUITE_P(All, SnowflakeBranch,
                         testing::Values(std::tuple{Opcode::ble, -1, 0, true}, std::tuple{Opcode::ble, 2, 2, true},
                                         std::tuple{Opcode::ble, 3, 2, false}, std::tuple{Opcode::bgt, 0, -1, true},
                                         std::tuple{Opcode::bgt, 2, 2, false}, std::tuple{Opcode::beq, 2, 2, true},
                                         std::tuple{Opcode::beq, 2, -2, false}));

// LD at cycle 4; the jump waits until its stream has ended: latency, then 900 bytes of cost and 20 of instructions.
TEST(SnowflakeControl, AJumpWaitsForItsBank) {
  HandProgram hand;
  hand.set(1, 1000);
  hand.set(2, 10);
  hand.nop(2);
  const int load = hand.load(LoadTarget::instructions, 0, 1, 2, 2);
  const int jump = hand.jump(1);
  hand.nop(4);
  hand.end_block(0);
  hand.nop(1);
  const int target = hand.set(5, 77);
  hand.nop(2);
  hand.halt();
  hand.end_block(1000);
  EventLog log;
  const auto result = run_control(hand, log);
  ASSERT_EQ(log.streams.size(), 1U);
  EXPECT_EQ(log.issue_of(load), 5);
  EXPECT_EQ(log.streams[0].begin, (5 + 60) * 16);
  const std::int64_t work = 1191564LL * 20 + 900LL * 1048576;
  const std::int64_t end = log.streams[0].begin + (work + 550502 - 1) / 550502;
  EXPECT_EQ(log.streams[0].end, end);
  EXPECT_EQ(log.issue_of(jump), (end + 15) / 16);
  EXPECT_EQ(log.issue_of(target), (end + 15) / 16 + 5);
  EXPECT_EQ(log.values[5], 77);
  EXPECT_EQ(result.total.stalled(ControlStall::instruction_bank), log.issue_of(jump) - 6);
  EXPECT_EQ(result.total.traffic(Traffic::instructions), 20);
}

TEST(SnowflakeControl, FollowsTheMachinesSlotsAndLatency) {
  Machine machine;
  machine.delay_slots = 1;
  machine.result_latency = 2;
  HandProgram hand(1 << 16, machine);
  hand.set(1, 1);
  const int reader = hand.add(2, 1, 1);
  hand.branch(Opcode::beq, 0, 0, 3);
  const int slot = hand.set(3, 1);
  hand.set(4, 1);
  hand.halt();
  EventLog log;
  run_control(hand, log);
  EXPECT_EQ(log.issue_of(reader), 2);
  EXPECT_EQ(log.issue_of(slot), 4);
  EXPECT_EQ(log.values[3], 1);
  EXPECT_EQ(log.values[4], 0);
}

}  // namespace
}  // namespace convscope::snowflake
