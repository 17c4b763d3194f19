// What the machine refuses, at which instruction, and why; and that nothing hangs.

#include <functional>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/cancellation.h"
#include "core/snowflake/simulate/simulator.h"
#include "tests/core/snowflake/hand_program.h"

namespace convscope::snowflake {
namespace {

/// Expects a refusal with `what` in its text, at the instruction that `write` returns.
void expect_refused(const std::string& what, const std::function<int(HandProgram&)>& write,
                    const SimulationOptions& options = {}) {
  HandProgram hand;
  hand.configure(writing(4));
  hand.set(1, 0);
  hand.set(2, 64);
  hand.settle();
  const int at = write(hand);
  hand.nop(5);
  hand.halt();
  const auto result = simulate(hand.finished(), options);
  ASSERT_TRUE(result.refusal) << "expected: " << what;
  EXPECT_NE(result.refusal->what.find(what), std::string::npos) << result.refusal->what;
  EXPECT_EQ(result.refusal->instruction, at) << result.refusal->what;
}

int set_and_settle(HandProgram& hand, int rd, int value) {
  const int at = hand.set(rd, value);
  hand.settle();
  return at;
}

TEST(SnowflakeRefusals, IllegalOpcodes) {
  for (const std::uint32_t opcode : {13U, 14U, 15U})
    expect_refused("illegal opcode", [&](HandProgram& hand) {
      hand.program.code.push_back(opcode << 28);
      return static_cast<int>(hand.program.code.size()) - 1;
    });
}

TEST(SnowflakeRefusals, BranchesInDelaySlots) {
  expect_refused("branch in a delay slot", [](HandProgram& hand) {
    hand.branch(Opcode::bgt, 0, 0, 8);  // not taken: its slots are slots all the same
    hand.nop(3);
    return hand.branch(Opcode::ble, 0, 0, 8);
  });
}

TEST(SnowflakeRefusals, MoreThanOneDependentPairInTheSlots) {
  const auto slots = [](HandProgram& hand, int second_source) {
    const int branch = hand.branch(Opcode::beq, 0, 0, 6);
    hand.set(5, 1);
    hand.add(6, 5, 1);
    hand.set(7, 1);
    hand.add(8, second_source, 1);
    return branch;
  };
  expect_refused("2 pairs", [&](HandProgram& hand) { return slots(hand, 7); });
  expect_refused("2 pairs", [&](HandProgram& hand) { return slots(hand, 5); });
  HandProgram hand;
  slots(hand, 9);
  hand.nop(2);
  hand.halt();
  EXPECT_FALSE(simulate(hand.finished()).refusal);
}

TEST(SnowflakeRefusals, BranchesOutOfTheBank) {
  expect_refused("leaves the bank", [](HandProgram& hand) { return hand.branch(Opcode::beq, 0, 0, -100); });
  expect_refused("leaves the bank", [](HandProgram& hand) { return hand.branch(Opcode::beq, 0, 0, 1000); });
}

TEST(SnowflakeRefusals, JumpsToABankThatIsNotLoaded) {
  expect_refused("not loaded", [](HandProgram& hand) { return hand.jump(0); });
  expect_refused("not taken", [](HandProgram& hand) { return hand.emit(Opcode::bgt, true, 0, 0, 0, 0); });
}

TEST(SnowflakeRefusals, RunningOffTheEnd) {
  HandProgram hand;
  hand.nop(3);
  const auto result = simulate(hand.finished());
  ASSERT_TRUE(result.refusal);
  EXPECT_NE(result.refusal->what.find("runs off the end: word 3 of bank 0"), std::string::npos);
  EXPECT_EQ(result.refusal->cycle, 3);
  EXPECT_TRUE(simulate(Program{}).refusal);
}

TEST(SnowflakeRefusals, ReadsPastABuffer) {
  expect_refused("reads words 65530 to 65545 of a maps buffer of 65536", [](HandProgram& hand) {
    set_and_settle(hand, 1, 65530);
    return hand.mac(3, 1, 0, 16, false);
  });
  expect_refused("of a kernel buffer of 8448", [](HandProgram& hand) {
    set_and_settle(hand, 1, 8440);
    return hand.mac(3, 0, 1, 9, false);
  });
  expect_refused("of a kernel buffer", [](HandProgram& hand) { return hand.mac(3, 0, 0, 529, false, true); });
  expect_refused("of a maps buffer", [](HandProgram& hand) {
    set_and_settle(hand, 1, -1);
    return hand.max(3, 1, 16, false);
  });
  expect_refused("of a maps buffer", [](HandProgram& hand) {
    Configuration hop = writing(1);
    hop.hop = 32;
    hand.set(1, 65040);
    set_and_settle(hand, configuration_register, static_cast<int>(value_of(hop)));
    return hand.max(3, 1, 32, false);
  });
  expect_refused("of a maps buffer", [](HandProgram& hand) {
    set_and_settle(hand, 1, 65536 - 15);  // the last CU reads 12 to 15
    return hand.bypass(1, 0);
  });
}

TEST(SnowflakeRefusals, LoadsOutOfRange) {
  const auto load = [](HandProgram& hand, int buffer, int dram, int words, LoadTarget target, int unit = 0) {
    hand.set(5, buffer);
    hand.set(6, dram);
    hand.set(7, words);
    hand.settle();
    return hand.load(target, 5, 6, 7, unit);
  };
  const auto expect = [&](const std::string& what, int buffer, int dram, int words, LoadTarget target) {
    expect_refused(what, [&](HandProgram& hand) { return load(hand, buffer, dram, words, target); });
  };
  expect("of a buffer of 65536", 65000, 0, 537, LoadTarget::maps);
  expect("of a buffer of 8448", 8448, 0, 1, LoadTarget::kernels);
  expect("of a buffer of 65536", -1, 0, 8, LoadTarget::maps);
  expect("of a buffer of 1024", 1020, 0, 6, LoadTarget::instructions);
  expect("DRAM words 65535 to 65536 of 65536", 0, 65535, 2, LoadTarget::maps);
  expect("DRAM words -4", 0, -4, 2, LoadTarget::maps);
  expect("at least 1", 0, 0, 0, LoadTarget::maps);
  expect("at least 1", 0, 0, -5, LoadTarget::kernels);
  expect("expected even numbers", 1, 0, 4, LoadTarget::instructions);
  expect("where none are", 0, 60000, 4, LoadTarget::instructions);
}

TEST(SnowflakeRefusals, LoadsForWhatTheMachineHasNot) {
  expect_refused("the machine has 4", [](HandProgram& hand) { return hand.load(LoadTarget::maps, 1, 1, 2, 0, 4); });
  expect_refused("a CU has 4", [](HandProgram& hand) { return hand.load(LoadTarget::kernels, 1, 1, 2, 0, 0, 5); });
  expect_refused("target 3", [](HandProgram& hand) { return hand.emit(Opcode::ld, false, 1, 1, 2, 3 << 2); });
  Machine machine;
  machine.load_units = 2;
  HandProgram hand(1 << 16, machine);
  hand.set(2, 64);
  hand.settle();
  hand.load(LoadTarget::maps, 1, 1, 2, 2);
  EXPECT_NE(simulate(hand.finished()).refusal->what.find("the machine has 2"), std::string::npos);
}

TEST(SnowflakeRefusals, LoadsIntoRegionsThatAreStillRead) {
  const auto load_behind = [](HandProgram& hand, int word, LoadTarget target, int cu, int vmac = 0) {
    set_and_settle(hand, 6, word);
    hand.mac(3, 1, 1, 160, false);
    hand.mac(3, 1, 1, 160, false);
    return hand.load(target, 6, 1, 2, 0, cu, vmac);
  };
  expect_refused("still reads", [&](HandProgram& hand) { return load_behind(hand, 511, LoadTarget::maps, 3); });
  expect_refused("still reads", [&](HandProgram& hand) { return load_behind(hand, 200, LoadTarget::kernels, 1, 2); });
  // The next region is free, and so is a CU that doesn't take part.
  for (const int cu : {0, 3}) {
    HandProgram hand;
    hand.configure(writing(3));
    hand.set(2, 64);
    hand.settle();
    load_behind(hand, cu == 3 ? 0 : 512, LoadTarget::maps, cu);
    hand.halt();
    EXPECT_FALSE(simulate(hand.finished()).refusal);
  }
}

TEST(SnowflakeRefusals, LoadsOfTwoUnitsToTheSameWords) {
  const auto two = [](HandProgram& hand, int second_unit, int word) {
    set_and_settle(hand, 6, word);
    hand.load(LoadTarget::maps, 1, 1, 2, 0);
    return hand.load(LoadTarget::maps, 6, 1, 2, second_unit);
  };
  expect_refused("still to fill", [&](HandProgram& hand) { return two(hand, 1, 63); });
  for (const auto& [unit, word] : {std::pair{0, 0}, std::pair{1, 64}}) {
    HandProgram hand;
    hand.set(2, 64);
    hand.settle();
    two(hand, unit, word);
    hand.halt();
    EXPECT_FALSE(simulate(hand.finished()).refusal);
  }
}

TEST(SnowflakeRefusals, WritesOutOfRange) {
  const auto write = [](HandProgram& hand, int address, int stride) {
    hand.set(cu_stride_register, stride);
    set_and_settle(hand, 3, address);
    return hand.mac(3, 1, 1, 16, true);
  };
  expect_refused("writes DRAM words 65533 to 65536 of 65536", [&](HandProgram& hand) { return write(hand, 65533, 0); });
  expect_refused("writes DRAM words -4", [&](HandProgram& hand) { return write(hand, 8, -4); });
  expect_refused("holds instructions", [&](HandProgram& hand) { return write(hand, 0, 1000); });
  expect_refused("at once", [](HandProgram& hand) {
    hand.program.machine.store_fifo_bytes = 64;
    set_and_settle(hand, 3, 30000);
    return hand.mac(3, 1, 1, 16, true, true);
  });
}

TEST(SnowflakeRefusals, WritesToWordsThatALoadStillReads) {
  expect_refused("still reads", [](HandProgram& hand) {
    hand.set(6, 4096);
    hand.set(7, 4096);
    set_and_settle(hand, 8, 16384);
    hand.load(LoadTarget::maps, 7, 6, 8, 0);
    return hand.mac(6, 1, 1, 16, true);
  });
}

TEST(SnowflakeRefusals, WrongVectorFields) {
  expect_refused("names CUs", [](HandProgram& hand) {
    set_and_settle(hand, configuration_register, static_cast<int>(value_of(writing(5))));
    return hand.mac(3, 1, 1, 16, false);
  });
  expect_refused("not a multiple", [](HandProgram& hand) { return hand.max(3, 1, 24, false); });
  expect_refused("selection 2, expected 0 to 1",
                 [](HandProgram& hand) { return hand.emit(Opcode::vmov, false, 0, 1, 0, 2); });
  expect_refused("selection 4, expected 0 to 3", [](HandProgram& hand) { return hand.bypass(1, 4); });
}

TEST(SnowflakeRefusals, InstructionLoadsInTheSlotsOfAJump) {
  HandProgram hand;
  hand.set(1, 1000);
  hand.set(2, 4);
  hand.settle();
  hand.load(LoadTarget::instructions, 0, 1, 2, 0);
  hand.jump(0);
  const int load = hand.load(LoadTarget::instructions, 0, 1, 2, 0);
  hand.nop(3);
  hand.end_block(0);
  hand.halt();
  hand.nop(1);
  hand.end_block(1000);
  const auto result = simulate(hand.finished());
  ASSERT_TRUE(result.refusal);
  EXPECT_EQ(result.refusal->instruction, load);
  EXPECT_NE(result.refusal->what.find("delay slot of a jump"), std::string::npos);
}

TEST(SnowflakeRefusals, LoopsForEver) {
  SimulationOptions options;
  options.instruction_budget = 1000;
  int top = 0;
  expect_refused(
      "the budget",
      [&](HandProgram& hand) {
        top = hand.branch(Opcode::beq, 0, 0, 0 - 1);
        hand.nop(4);
        // 7 before, then turns of 6: the NOP before the branch, the branch, its slots.
        return top + (1000 - 7) % 6;
      },
      options);
}

TEST(SnowflakeRefusals, StopsWhenAsked) {
  HandProgram hand;
  hand.nop(1);
  hand.branch(Opcode::beq, 0, 0, -1);
  hand.nop(4);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(simulate(hand.finished(), {}, stop.get_token()), Cancelled);
}

}  // namespace
}  // namespace convscope::snowflake
