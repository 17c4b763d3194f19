// Networks whose layers are joined to one program: it computes what the layers do one after the other, the verifier
// lets it pass and none that lacks a barrier.

#include "core/nmp/linked_network.h"

#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nmp/host/run.h"
#include "core/nmp/nmp_target.h"
#include "core/target/programs.h"
#include "random_problems.h"
#include "whole_network.h"

namespace convscope::nmp {
namespace {

using testing::HasSubstr;

/// Every operator that programs know; an addition that a convolution begins from, in place.
std::string small_network() {
  return "<layer_list name='small'>"
         "<input name='image' maps='8' height='12' width='12'/>"
         "<conv name='a' maps='16' kernel='3' pad='same' activation='relu'/>"
         "<conv name='b' maps='16' kernel='1'/>"
         "<add name='sum' from='a b' activation='relu'/>"
         "<conv name='c' maps='8' kernel='3' pad='same'/>"
         "<max_pool name='m' from='sum' kernel='3' stride='1' pad='1'/>"
         "<concat name='both' from='c m'/>"
         "<average_pool name='pool' kernel='2' stride='2'/>"
         "<fc name='fc' maps='10'/>"
         "<softmax name='prob'/>"
         "</layer_list>";
}

TEST(LinkedNetworks, ComputeWhatTheirLayersDoOneAfterTheOther) {
  for (const bool free_running : {false, true}) {
    const WholeNetwork small(network_of(small_network()), board_of_all(free_running));
    ASSERT_TRUE(small.has_program());
    const Program program = small.program();
    EXPECT_EQ(program.layers.size(), free_running ? 6U : 7U);  // b begins from a where that saves time
    EXPECT_EQ(refusals_of(program), "");
    for (const double jitter : {0.0, 1.5}) {
      const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 5});
      EXPECT_TRUE(run.equal()) << run.text();
      EXPECT_EQ(run.result.traffic, program.traffic);
    }
  }
}

// Each layer uses halves as it likes: the machine of the program knows nothing of them.
TEST(LinkedNetworks, HaveLayersWhoseMemoriesHoldTwoTiles) {
  const WholeNetwork small(network_of(small_network()), board_of_all(false, true));
  ASSERT_TRUE(small.has_program());
  std::set<std::string> sets;
  for (const auto& layer : small.layers) sets.emplace(layer->metrics().text("doubled"));
  EXPECT_GE(sets.size(), 2U);
  const Program program = small.program();
  Machine whole = board();
  whole.borders = Borders::exact;
  whole.all_operators = true;
  EXPECT_EQ(program.machine, whole);
  EXPECT_EQ(refusals_of(program), "");
  for (const double jitter : {0.0, 1.5}) {
    const ComparedRun run = run_and_compare(program, 3, {.jitter = jitter, .seed = 5});
    EXPECT_TRUE(run.equal()) << run.text();
  }
}

TEST(LinkedNetworks, TakeTheTimeOfTheirLayersAndOfTheirTables) {
  const WholeNetwork small(network_of(small_network()), board_of_all(false));
  ASSERT_TRUE(small.has_program());
  const Program program = small.program();
  const SimulationResult run = simulate(program, {.free_instructions = true});
  ASSERT_FALSE(run.refusal) << run.refusal->text();
  // One fetch for each TLT: the tables of all layers fit a data RAM together.
  const double bytes = static_cast<double>(program.traffic[static_cast<std::size_t>(TrafficKind::tables)]);
  const double tlts = program.tlts(), row = bytes / tlts;
  const double fetches = tlts * (program.machine.command_seconds +
                                 std::ceil(row / program.machine.burst_bytes) * program.machine.cas_seconds) +
                         bytes / program.machine.bandwidth;
  EXPECT_NEAR(run.seconds, small.estimate + fetches, 1e-9 * run.seconds);
}

// What orders two layers becomes an instruction that does nothing. Of c and m neither needs the other: between them
// there is nothing.
TEST(LinkedNetworks, NeedAllThatOrdersTheirLayers) {
  const Program program = WholeNetwork(network_of(small_network()), board_of_all(true)).program();
  int barriers = 0, waits = 0, told = 0;
  for (std::size_t i = 0; i + 2 < program.code.size(); ++i) {
    const Instruction instruction = decode(program.code[i]).value();
    const bool is_barrier = instruction.operation == Operation::sync;
    const bool is_wait = instruction.operation == Operation::wait && instruction.rd > 5;
    if (!is_barrier && !is_wait) continue;
    Program mutant = program;
    mutant.code[i] = encode({.operation = Operation::addi});
    const bool refused = !refusals_of(mutant).empty();
    ++(is_barrier ? barriers : waits);
    if (is_wait && instruction.rd > 7)
      told += refused ? 1 : 0;  // at some crossings nobody is told
    else
      EXPECT_TRUE(refused) << i;
  }
  EXPECT_EQ(barriers, 3);
  EXPECT_EQ(waits, 4);
  EXPECT_GE(told, 1);
}

// b begins from a, d from b: in their place, as nobody else reads them any more. e reads d itself.
TEST(LinkedNetworks, BeginSumsFromResiduals) {
  const std::string text =
      "<layer_list name='n'><input name='image' maps='8' height='40' width='40'/>"
      "<conv name='a' maps='16' kernel='3' pad='same' activation='relu'/>"
      "<conv name='b' maps='16' kernel='1' from='image'/>"
      "<add name='first' from='a b' activation='relu'/>"
      "<conv name='c' maps='16' kernel='1'/><conv name='d' maps='16' kernel='3' pad='same'/>"
      "<add name='second' from='first d'/>"
      "<conv name='e' maps='16' kernel='3' pad='same' /><add name='third' from='e second'/></layer_list>";
  for (const bool free_running : {false, true}) {
    const WholeNetwork network(network_of(text), board_of_all(free_running));
    ASSERT_TRUE(network.has_program());
    EXPECT_EQ(network.operation(), "one program of 5 layers");
    const Program program = network.program();
    const auto place = [&](std::size_t layer) { return program.layers[layer].residual.first_byte; };
    EXPECT_EQ(place(1), program.layers[1].out.first_byte);
    EXPECT_EQ(place(3), program.layers[3].out.first_byte);
    EXPECT_NE(place(4), program.layers[4].out.first_byte);
    EXPECT_EQ(place(4), program.layers[4].in.first_byte);
    EXPECT_EQ(program.layers[1].clamp_high, 32767);
    EXPECT_EQ(program.layers[3].clamp_high, 0);
    EXPECT_EQ(refusals_of(program), "");
    const ComparedRun run = run_and_compare(program, 3, {.jitter = free_running ? 1.5 : 0.0, .seed = 5});
    EXPECT_TRUE(run.equal()) << run.text();
    EXPECT_EQ(run.result.traffic, program.traffic);
    Program elsewhere = program;
    elsewhere.layers[4].residual.first_byte += 2;
    EXPECT_FALSE(run_and_compare(elsewhere, 3).equal());
  }
}

TEST(LinkedNetworks, FetchTablesAlone) {
  const Program program = WholeNetwork(network_of(small_network()), board_of_all(false)).program();
  Program mutant = program;
  mutant.data[3][1] += 2;
  EXPECT_THAT(refusals_of(mutant), HasSubstr("whole words"));
  EXPECT_TRUE(simulate(mutant).refusal);
  mutant.data[3][1] = program.data[3][1] + (1U << 20);
  EXPECT_THAT(refusals_of(mutant), HasSubstr("outside-region"));
  EXPECT_TRUE(simulate(mutant).refusal);
  mutant = program;
  mutant.tables.pop_back();
  EXPECT_THAT(refusals_of(mutant), HasSubstr("malformed"));
}

TEST(LinkedNetworks, SayWhereMapsLieAndWhen) {
  const WholeNetwork small(network_of(small_network()), board_of_all(false));
  const auto map = small.linked->memory_map(0);
  std::map<std::string, artifact::MemoryBlock> blocks;
  for (const artifact::MemoryBlock& block : map->memories[0].blocks) blocks[block.name] = block;
  ASSERT_TRUE(blocks.contains("image"));
  EXPECT_EQ(blocks["image"].live_from, 0);
  EXPECT_EQ(blocks["image"].words, 8 * 12 * 12 * 2);
  for (const auto& [name, a] : blocks)
    for (const auto& [other, b] : blocks)
      if (name < other && a.live_from < b.live_to && b.live_from < a.live_to) {
        EXPECT_TRUE(a.first_word + a.words <= b.first_word || b.first_word + b.words <= a.first_word)
            << name << " and " << other;
      }
  Diagnostics diagnostics;
  EXPECT_EQ(make_nmp_target()->program_tools()->assemble(small.linked->listing(0)->assembly, "n.s", diagnostics),
            small.linked->program_file(0));
}

std::string small_head() {
  return "<layer_list name='n'><input name='image' maps='8' height='8' width='8'/>";
}

TEST(LinkedNetworks, SayWhyLayersCanNotBeJoined) {
  const WholeNetwork refused(
      network_of(small_head() + "<softmax name='s'/><conv name='a' maps='8' kernel='1'/></layer_list>"),
      board_of_all(false));
  EXPECT_FALSE(refused.has_program());
  EXPECT_EQ(refused.operation(), "no program of the network: 'a' needs 's' (Softmax), which NMP has no program for");
}

// Who computes it stores it once.
TEST(LinkedNetworks, CopyWhatIsJoinedTwice) {
  const WholeNetwork twice(network_of(small_head() + "<conv name='a' maps='8' kernel='1'/><concat name='c' from='a a'/>"
                                                     "<conv name='b' maps='8' kernel='1'/></layer_list>"),
                           board_of_all(false));
  EXPECT_EQ(twice.operation(), "one program of 3 layers");
  const Program program = twice.program();
  EXPECT_EQ(refusals_of(program), "");
  EXPECT_EQ(program.layers[1].in.first_byte, program.layers[0].out.first_byte);
  EXPECT_EQ(program.layers[1].out.first_byte, program.layers[0].out.first_byte + 8 * 8 * 8 * 2);
  const ComparedRun run = run_and_compare(program, 2);
  EXPECT_TRUE(run.equal()) << run.text();
}

// What follows a Softmax is the host's, also what NMP could add up; its operand stays in memory to the end.
TEST(LinkedNetworks, LeaveTheirEndsToTheHost) {
  const WholeNetwork network(
      network_of(small_head() + "<conv name='a' maps='8' kernel='3' pad='same'/>"
                                "<conv name='b' maps='8' kernel='1' from='a'/>"
                                "<softmax name='s' from='b'/><add name='sum' from='a s'/></layer_list>"),
      board_of_all(false));
  ASSERT_TRUE(network.has_program());
  EXPECT_EQ(network.operation(), "one program of 2 layers; left to the host: s and 1 more");
  const Program program = network.program();
  EXPECT_EQ(refusals_of(program), "");
  const ComparedRun run = run_and_compare(program, 2);
  EXPECT_TRUE(run.equal()) << run.text();
  EXPECT_NE(program.layers[0].out.first_byte, program.layers[1].out.first_byte);
}

}  // namespace
}  // namespace convscope::nmp
