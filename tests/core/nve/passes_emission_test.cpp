// Where a loop's words lie, what is written before it, and the instructions that come of it.

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "core/nve/passes/allocate_buffer.h"
#include "core/nve/passes/emit_program.h"
#include "core/nve/passes/initial_writes.h"
#include "tests/core/nve/loops.h"

namespace convscope::nve::test {
namespace {

using Kind = LoopOperationKind;

BufferLayout layout_of(const Loop& loop, const Parts& parts, const SchedulingMachine& machine = {}) {
  return allocate_buffer(loop, parts.window, parts.structure.inputs, parts.words_of_map(), machine);
}

Emitted emitted(const Parts& parts, bool peeling, const SchedulingMachine& machine = {}) {
  const Loop loop = scheduled_loop(parts, machine);
  return emit_program(loop, parts.structure, parts.window, parts.packing, layout_of(loop, parts, machine), peeling,
                      machine);
}

/// Addresses of every word that is held in an iteration: no two may be the same.
TEST(AllocateBuffer, GivesEachWordOfTheWindowItsOwnPlace) {
  for (const MemoryKind memory : {MemoryKind::true_dual_port, MemoryKind::two_banks}) {
    const SchedulingMachine machine{.memory = memory};
    const Parts made = parts({2, {{0}, {0, 1}}}, {3, 3, 1, 1}, machine);
    const BufferLayout layout = layout_of(scheduled_loop(made, machine), made, machine);
    ASSERT_TRUE(layout.fits());
    for (const std::int64_t iteration : {0, 1, 7}) {
      std::set<int> taken;
      std::size_t words = 0;
      for (int map = 0; map < 2; ++map)
        for (int word = 0; word < made.words_of_map()[static_cast<std::size_t>(map)]; ++word, ++words)
          taken.insert(layout.coefficient_address(map, word));
      for (int column = 0; column < 3; ++column)
        for (int input = 0; input < 2; ++input)
          for (int word = 0; word < made.window.column(machine).words(); ++word, ++words)
            taken.insert(layout.offset(input, column, word) + layout.update(iteration, column));
      EXPECT_EQ(taken.size(), words) << "iteration " << iteration;
      EXPECT_LT(*taken.rbegin(), machine.local_buffer_words);
    }
  }
}

TEST(AllocateBuffer, SaysWhatDoesNotFit) {
  const Parts made = parts({8, {{0, 1, 2, 3, 4, 5, 6, 7}}}, {7, 7, 1, 1});
  const Loop loop = scheduled_loop(made);
  EXPECT_TRUE(layout_of(loop, made).fits());
  EXPECT_FALSE(layout_of(loop, made, {.local_buffer_words = 64}).fits());
  EXPECT_EQ(layout_of(loop, made, {.local_buffer_words = 64}).capacity[0], 64);
}

TEST(InitialWrites, AreAllCoefficientsAndTheColumnsThatTheFirstWindowNeeds) {
  const Parts made = parts({1, {{0}}}, {3, 4, 1, 1});
  const Loop loop = scheduled_loop(made);
  const std::vector<bool> leads(loop.operations.size(), false);
  const BufferLayout layout = layout_of(loop, made);
  const auto writes = initial_writes(loop, leads, made.structure, made.window, made.packing, layout);
  std::multiset<int> columns;
  int coefficients = 0;
  std::set<int> addresses;
  for (const InitialWrite& write : writes) {
    addresses.insert(write.address);
    if (write.item.kind == StreamWord::Kind::pixels)
      columns.insert(write.item.column);
    else
      ++coefficients;
  }
  EXPECT_EQ(coefficients, made.words_of_map().front());
  EXPECT_EQ(columns, (std::multiset<int>{0, 0, 0, 1, 1, 1, 2, 2, 2}));  // the fourth is written in the loop
  EXPECT_EQ(addresses.size(), writes.size());
}

// What belongs to the iteration before reads its word an interval sooner.
TEST(InitialWrites, ComeBeforeTheFirstRead) {
  const Parts made = parts();
  const Loop loop = scheduled_loop(made);
  std::vector<bool> leads(loop.operations.size(), false);
  const BufferLayout layout = layout_of(loop, made);
  const auto write_of = [&](const std::vector<InitialWrite>& writes) {
    return *std::find_if(writes.begin(), writes.end(),
                         [](const auto& w) { return w.item.kind == StreamWord::Kind::coefficients; });
  };
  const auto all = [&] { return initial_writes(loop, leads, made.structure, made.window, made.packing, layout); };
  const std::int64_t at_first = write_of(all()).read;
  for (std::size_t i = 0; i < loop.operations.size(); ++i)
    if (loop.operations[i].kind == Kind::read_coefficients && loop.operations[i].word == 0) {
      EXPECT_EQ(at_first, loop.cycles[i]);
      leads[i] = true;
    }
  EXPECT_EQ(write_of(all()).read, at_first - loop.initiation_interval);
}

TEST(EmitProgram, ARepetitionIsAnIteration) {
  const Parts made = parts();
  const Loop loop = scheduled_loop(made);
  const Emitted made_program = emitted(made, false);
  const Program& program = made_program.program;
  EXPECT_EQ(program.repeat_size, loop.initiation_interval);
  EXPECT_EQ(made_program.peeled, 0);
  EXPECT_EQ(program.words.size(),
            static_cast<std::size_t>(program.initial_size + program.repeat_size + program.final_size));
  // As many operations of each kind as the loop has, in the repetition and in what comes before.
  int macs = 0, writes = 0, acts = 0;
  for (int i = program.initial_size; i < program.initial_size + program.repeat_size; ++i) {
    const Instruction instruction = *decode(program.words[static_cast<std::size_t>(i)], program.machine);
    macs += instruction.vector == VectorOperation::mac;
    writes += instruction.mema.kind == MemoryKindOfAccess::write;
    acts += instruction.activate;
  }
  EXPECT_EQ(macs, operations_of(loop, Kind::mac));
  EXPECT_EQ(writes, operations_of(loop, Kind::write_pixels));
  EXPECT_EQ(acts, operations_of(loop, Kind::activate));
  EXPECT_EQ(program.repeat.stream.size(), static_cast<std::size_t>(writes));
  EXPECT_EQ(program.repeat.outputs.size(), static_cast<std::size_t>(acts));
  EXPECT_EQ(program.increment, layout_of(loop, made).increment());
  EXPECT_EQ(program.toggle, layout_of(loop, made).toggle());
}

TEST(EmitProgram, IssuesEachOperationOfTheLoopOnceARepetition) {
  const Parts made = parts({2, {{0}, {0, 1}}});
  const Loop loop = scheduled_loop(made);
  const Emitted result = emitted(made, false);
  const Program& program = result.program;
  std::vector<int> times(loop.operations.size(), 0);
  for (const IssuedOperation& issued : result.issued) {
    const bool repeated =
        issued.address >= program.initial_size && issued.address < program.initial_size + program.repeat_size;
    if (!repeated || issued.operation < 0) continue;
    const auto operation = static_cast<std::size_t>(issued.operation);
    ++times[operation];
    EXPECT_EQ(issued.field, loop.operations[operation].field);
  }
  EXPECT_EQ(times, std::vector<int>(loop.operations.size(), 1));
}

TEST(EmitProgram, PeelsAnIterationWhereThatSavesInstructions) {
  const Parts made = parts({1, {{0}}}, {5, 5, 1, 1});
  const Emitted plain = emitted(made, false), peeled = emitted(made, true);
  ASSERT_EQ(peeled.peeled, 1);
  EXPECT_EQ(peeled.program.repeat_size, plain.program.repeat_size);
  // In front of the loop stands an iteration more, and fewer instructions than it takes.
  EXPECT_GT(peeled.program.initial_size, plain.program.initial_size);
  EXPECT_LT(peeled.program.initial_size, plain.program.initial_size + plain.program.repeat_size);
  EXPECT_EQ(peeled.program.initial.outputs.size(), 2U);
  EXPECT_EQ(emitted(made, true, {.instruction_buffer_words = plain.program.initial_size}).peeled, 0);
}

}  // namespace
}  // namespace convscope::nve::test
