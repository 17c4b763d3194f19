#include "core/nmp/simulate/simulator.h"

#include <map>

#include <gtest/gtest.h>

#include "core/nmp/host/run.h"
#include "hand_program.h"

namespace convscope::nmp {
namespace {

constexpr double ns = 1e-9;

TEST(NmpSimulator, TakesTheTimeOfItsParts) {
  const SimulationResult run = simulate(hand_program(), {.free_instructions = true});
  ASSERT_FALSE(run.refusal) << run.refusal->text();
  // Command, CAS and bytes of IN, W of each TLT, OUT of each; 2 filters x 16 outputs at once in both.
  EXPECT_NEAR(run.seconds, ((100 + 10 + 32) + 2 * (100 + 10 + 4) + 2 * 16 + 2 * (100 + 20 + 64)) * ns, 1e-15);
  EXPECT_NEAR(run.dram_seconds, (42 + 2 * 14 + 2 * 84) * ns, 1e-15);
  EXPECT_EQ(run.traffic, (TrafficBytes{32, 8, 0, 0, 128}));
  EXPECT_EQ(run.tlts[1].convolutions, 1);
  EXPECT_EQ(run.tlts[1].macs, 32);
  EXPECT_EQ(run.tles[0].transfers, 5);
  EXPECT_NEAR(run.tles[0].command_seconds, 500 * ns, 1e-15);
}

TEST(NmpSimulator, ChargesACycleForEachInstructionInTheWay) {
  const Program program = hand_program();
  const SimulationResult run = simulate(program);
  ASSERT_FALSE(run.refusal);
  EXPECT_EQ(run.instructions, run.tlts[0].instructions + run.tlts[1].instructions);
  EXPECT_EQ(run.tlts[0].instructions, 35 + 4 + 11);  // the first waits, loads and jumps
  EXPECT_EQ(run.tlts[1].instructions, 35 + 2 + 11);
  const double software = software_seconds(program, run);
  // 37 instructions before TLT 0 may load, its wait; then wait and load; store, wait, sync and ecall in the end.
  EXPECT_GT(software, 40 * ns);
  EXPECT_LT(software, 52 * ns);
}

TEST(NmpSimulator, CommandsOfFreeTlesLeaveTheDramToOthers) {
  Program program = hand_program();
  program.machine.tles = 2;
  program.data.insert(program.data.end(), {program.data[0], program.data[1]});
  const auto seconds = [&] { return simulate(program, {.free_instructions = true}).seconds; };
  const double held = seconds();
  program.commands_hold_dram = false;
  const double free = seconds();
  // Two DMAs give their five commands side by side.
  EXPECT_LT(free, held - 400 * ns);
  EXPECT_GT(free, simulate(hand_program(), {.free_instructions = true}).seconds);
}

TEST(NmpSimulator, ComputesTheReference) {
  const ComparedRun run = run_and_compare(hand_program(), 5);
  EXPECT_EQ(run.outputs, 64);
  EXPECT_TRUE(run.equal()) << run.text();
}

TEST(NmpSimulator, MovesRowsAsBoxes) {
  std::string code = with_line(hand_code(), "nmp_load3d 1, x1, x6, 1", "nmp_load 1, x1, x6, 1");
  code = with_line(code, "nmp_load3d 0, x0, x5, 0, multicast", "nmp_load 0, x0, x5, 0, multicast");
  code = with_line(code, "nmp_store3d 4, x2, x7, 2", "nmp_store 4, x2, x7, 2");
  const Program rows = hand_program(code);
  EXPECT_TRUE(run_and_compare(rows, 5).equal());
  EXPECT_EQ(simulate(rows).seconds, simulate(hand_program()).seconds);
}

TEST(NmpSimulator, HoldsCoresUpWhereQueuesAreFull) {
  std::string loads, convolutions;
  for (int i = 0; i < 20; ++i) {
    loads += "nmp_load3d 1, x1, x6, 1\n";
    convolutions += "nmp_conv2d 3, x6, x7\n";
  }
  std::string code =
      with_line(hand_code(), "nmp_load3d 1, x1, x6, 1\n  nmp_wait 1, x8", loads + "addi x20, x0, 20\n nmp_wait 1, x20");
  code = with_line(code, "nmp_conv2d 3, x6, x7\n  nmp_wait 3, x8", convolutions + "nmp_wait 3, x20");
  const Program program = hand_program(code);
  struct Waits : Observer {
    void waited(const WaitRun& run) override { ++at[run.instruction]; }
    std::map<int, int> at;
  } waits;
  const SimulationResult run = simulate(program, {.free_instructions = true}, &waits);
  ASSERT_FALSE(run.refusal) << run.refusal->text();
  EXPECT_NEAR(run.seconds, ((100 + 10 + 32) + 40 * (100 + 10 + 4) + 20 * 32 + 2 * (100 + 20 + 64)) * ns, 1e-14);
  // Both cores fill one queue of 16: 24 loads, 12 of each, find it full. A MAC unit's: four of each core do.
  int held_loads = 0, held_convolutions = 0;
  for (const auto& [instruction, count] : waits.at) {
    const auto operation = decode(program.code[static_cast<std::size_t>(instruction)])->operation;
    if (operation == Operation::load_3d) held_loads += count;
    if (operation == Operation::conv2d) held_convolutions += count;
  }
  EXPECT_EQ(held_loads, 24);
  EXPECT_EQ(held_convolutions, 8);
  EXPECT_TRUE(run_and_compare(program, 5).equal());
}

TEST(NmpSimulator, RoundsClampsAndSaturates) {
  Program program = hand_program();
  program.layers[0].biases = {1, 2, -2, -3};  // times 2^-2, ties up: 0, 1, 0, -1
  program.data[0][4] = 1;
  program.data[0][5] = 2;
  program.data[1][4] = static_cast<std::uint32_t>(-2);
  program.data[1][5] = static_cast<std::uint32_t>(-3);
  std::vector<std::uint8_t> dram(4096);
  const auto run = [&] {
    EXPECT_FALSE(simulate(program, dram).refusal);
    std::vector<int> first;
    for (std::size_t map = 0; map < 4; ++map)
      first.push_back(static_cast<std::int16_t>(dram[3072 + 32 * map] | dram[3073 + 32 * map] << 8));
    return first;
  };
  EXPECT_EQ(run(), (std::vector<int>{0, 1, 0, -1}));
  // -32768 x -32768, x 32767, x 1, x -4, rounded and within 16 bit.
  for (const auto& [byte, value] : {std::pair{1024, -32768}, {1026, 32767}, {1028, 1}, {1030, -4}, {0, -32768}}) {
    dram[static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(value);
    dram[static_cast<std::size_t>(byte) + 1] = static_cast<std::uint8_t>(value / 256 - (value % 256 < 0 ? 1 : 0));
  }
  EXPECT_EQ(run(), (std::vector<int>{32767, -32768, -8192, 32767}));
  // C45 is 0, C46 what x9 holds: 64.
  Program clamped = hand_program(
      with_line(with_line(hand_code(), "nmp_cfg C44, x18, x0", "nmp_cfg C44, x18, x0\n nmp_cfg C46, x9, x0"),
                "other:", "other:\n"));
  program.code = clamped.code;
  EXPECT_EQ(run(), (std::vector<int>{64, 0, 0, 64}));
}

TEST(NmpSimulator, GivesTheSameInEveryOrder) {
  const Program program = hand_program();
  std::vector<std::uint8_t> first(4096, 3), other(4096, 3);
  const double quick = simulate(program, first).seconds;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SimulationResult run = simulate(program, other, {.jitter = 2, .seed = seed});
    EXPECT_GT(run.seconds, quick);
    EXPECT_EQ(run.seconds, simulate(program, {.jitter = 2, .seed = seed}).seconds);
    EXPECT_EQ(other, first);
  }
}

struct Refused {
  const char* line;
  const char* by;
  const char* says;
};

TEST(NmpSimulator, RefusesWhatTheMachineCannotDo) {
  for (const Refused& r : {
           Refused{"nmp_post 5, x8", "addi x0, x0, 0", "nobody can go on"},
           {"nmp_post 5, x8", "nmp_post 5, x9", "a TLE has 2"},
           {"nmp_wait 3, x8", "nmp_wait 3, x0", "0 posts"},
           {"nmp_conv2d 3, x6, x7", "nmp_conv2d 3, x7, x7", "expected MB0, MB1 and MB2"},
           {"nmp_conv2d 3, x6, x7", ".word 0", "no instruction"},
           {"nmp_load3d 1, x1, x6, 1", "nmp_load3d 1, x1, x8, 1", "none of MB0 to MB2"},
           {"nmp_load3d 1, x1, x6, 1", "nmp_load3d 1, x6, x6, 1", "reaches DRAM byte"},
           {"lui x6, 0x20000           # MB1", "lui x6, 0x20003", "of MB1"},
           {"nmp_cfg C34, x0, x13", "nmp_cfg C34, x0, x0", "C35"},
           {"nmp_cfg C42, x17, x5", "nmp_cfg C42, x5, x5", "biases"},
           {"ecall", "addi x0, x0, 0", "the code ends"},
           {"ecall", "jal x0, .+0", "instructions have run"},
           {"lw x1, 0(x0)", "lw x1, 2(x0)", "multiple of 4"},
       }) {
    SimulationOptions options;
    options.instruction_budget = 100'000;
    const SimulationResult run = simulate(hand_program(with_line(hand_code(), r.line, r.by)), options);
    ASSERT_TRUE(run.refusal) << r.by;
    EXPECT_NE(run.refusal->text().find(r.says), std::string::npos) << run.refusal->text();
  }
}

TEST(NmpSimulator, SaysWhoWaitsForWhat) {
  const SimulationResult run = simulate(hand_program(with_line(hand_code(), "nmp_post 5, x8", "addi x0, x0, 0")));
  ASSERT_TRUE(run.refusal);
  EXPECT_EQ(run.refusal->tlt, 0);
  EXPECT_NE(run.refusal->what.find("TLE 0 TLT 0 (instruction 36) for 1 posts of semaphore 5, which has 0; "
                                   "TLE 0 TLT 1 (instruction 40) for 1 posts of semaphore 0, which has 0"),
            std::string::npos)
      << run.refusal->what;
}

TEST(NmpSimulator, SumsStayWithin48Bits) {
  // 2^15 << 47 is far beyond them.
  const std::string code = with_line(hand_code(), "addi x18, x18, 0x201\n", "lui x18, 0x2003\n addi x18, x18, -255\n");
  Program program = hand_program(with_line(code, "addi x16, x0, 3", "addi x16, x0, 2"));
  std::vector<std::uint8_t> dram(4096);
  const SimulationResult run = simulate(program, dram);
  ASSERT_TRUE(run.refusal);
  EXPECT_NE(run.refusal->what.find("48 bits"), std::string::npos) << run.refusal->text();
}

TEST(NmpSimulator, RefusesMemoriesThatNobodyHas) {
  Program program = hand_program();
  program.machine.tles = 64;
  program.machine.tlts = 32;
  program.machine.input_bytes = program.machine.weight_bytes = program.machine.output_bytes = 1 << 20;
  program.data.assign(2048, {});
  std::vector<std::uint8_t> dram(4096);
  ASSERT_TRUE(simulate(program, dram).refusal);
  EXPECT_NE(simulate(program, dram).refusal->what.find("memories"), std::string::npos);
  ASSERT_TRUE(simulate(program, std::span(dram).first(4095)).refusal);
}

TEST(NmpSimulator, TellsAnObserver) {
  struct Counting : Observer {
    void transferred(const TransferRun& run) override {
      ++transfers;
      last_end = run.end;
    }
    void convolved(const ConvolutionRun& run) override { macs += run.end - run.begin; }
    void waited(const WaitRun& run) override { waits += run.end - run.begin; }
    void halted(int, int, double) override { ++halts; }
    int transfers = 0, halts = 0;
    double last_end = 0, macs = 0, waits = 0;
  } counting;
  const SimulationResult run = simulate(hand_program(), {}, &counting);
  EXPECT_EQ(counting.transfers, 5);
  EXPECT_EQ(counting.halts, 2);
  EXPECT_NEAR(counting.macs, 64 * ns, 1e-15);
  EXPECT_NEAR(counting.waits, run.tlts[0].waited_seconds + run.tlts[1].waited_seconds, 1e-15);
  EXPECT_LT(counting.last_end, run.seconds);
}

}  // namespace
}  // namespace convscope::nmp
