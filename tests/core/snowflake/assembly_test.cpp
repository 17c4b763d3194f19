// Assembly that must work: every program comes back from its text, and people's own spellings are read.
#include "core/snowflake/architecture/assembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_program.h"

namespace convscope::snowflake {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Program parsed(const std::string& text) {
  Diagnostics diagnostics;
  const auto program = parse_assembly(text, "text", diagnostics);
  EXPECT_TRUE(program) << diagnostics.text() << text;
  return program.value_or(Program{});
}

TEST(SnowflakeAssembly, RandomProgramsComeBackFromTheirText) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Program program = test::random_program(seed);
    const std::string text = print_assembly(program);
    const Program again = parsed(text);
    ASSERT_EQ(again, program) << seed << '\n' << text;
    ASSERT_EQ(print_assembly(again), text);
  }
}

TEST(SnowflakeAssembly, EveryMnemonicIsItsInstruction) {
  const std::pair<const char*, Instruction> pairs[] = {
      {"mov r1, r2", {Opcode::mov, false, 1, 2, 0, 0}},
      {"mov r1, r2 << 31", {Opcode::mov, false, 1, 2, 31, 0}},
      {"movi r3, -4194304", {Opcode::movi, false, 3, 0, 0, -4194304}},
      {"add r1, r2, r3", {Opcode::add, false, 1, 2, 3, 0}},
      {"addi r1, r2, -65536", {Opcode::addi, false, 1, 2, 0, -65536}},
      {"mul r1, r2, r3", {Opcode::mul, false, 1, 2, 3, 0}},
      {"muli r1, r2, 65535", {Opcode::muli, false, 1, 2, 0, 65535}},
      {"mac.coop r4, r5, r6, 64", {Opcode::mac, false, 4, 5, 6, 63}},
      {"mac.coop.wb r4, r5, r6, 2048", {Opcode::mac, false, 4, 5, 6, 4095}},
      {"mac.indp r4, r5, r6, 1", {Opcode::mac, true, 4, 5, 6, 0}},
      {"mac.indp.wb r4, r5, r6, 1", {Opcode::mac, true, 4, 5, 6, 2048}},
      {"max r4, r5, 16", {Opcode::max, false, 4, 5, 0, 15}},
      {"max.wb r4, r5, 16", {Opcode::max, false, 4, 5, 0, 2063}},
      {"vmov.bias r7, 1", {Opcode::vmov, false, 0, 7, 0, 1}},
      {"vmov.bypass r7, 3", {Opcode::vmov, true, 0, 7, 0, 3}},
      {"ble r1, r2, +5", {Opcode::ble, false, 0, 1, 2, 5}},
      {"ble.bank r1, r2, 5", {Opcode::ble, true, 0, 1, 2, 5}},
      {"bgt r1, r2, -2048", {Opcode::bgt, false, 0, 1, 2, -2048}},
      {"bgt.bank r1, r2, 511", {Opcode::bgt, true, 0, 1, 2, 511}},
      {"beq r1, r2, +0", {Opcode::beq, false, 0, 1, 2, 0}},
      {"beq.bank r1, r2, 0", {Opcode::beq, true, 0, 1, 2, 0}},
      {"ld r1, r2, r3, 1, kernels, 2, 3", {Opcode::ld, false, 1, 2, 3, 0x0E5}},
      {"ld.all r1, r2, r3, 3, maps, 0, 0", {Opcode::ld, true, 1, 2, 3, 3}},
      {"ld r1, r28, r3, 0, instructions, 0, 0", {Opcode::ld, false, 1, 28, 3, 8}},
      {"nop", {}},
      {"halt", {Opcode::beq, false, 0, 0, 0, 0}}};
  for (const auto& [text, instruction] : pairs) {
    EXPECT_THAT(parsed(text).code, ElementsAre(encode(instruction))) << text;
    EXPECT_EQ(instruction_text(encode(instruction)), text);
  }
}

TEST(SnowflakeAssembly, WordsWithoutAMeaningAreWrittenAsBits) {
  EXPECT_EQ(instruction_text(0xF0000000), ".word 0xf0000000") << "no opcode";
  EXPECT_EQ(instruction_text(0x00000001), ".word 0x00000001") << "a bit that MOV hasn't";
  EXPECT_EQ(instruction_text(0xC000000C), ".word 0xc000000c") << "no target";
  EXPECT_THAT(parsed(".word 0xf0000000").code, ElementsAre(0xF0000000U));
}

TEST(SnowflakeAssembly, LabelsGoBothWaysAndMayStandAlone) {
  const Program program = parsed("  beq r1, r2, end ; forwards\nloop: body:\n  nop\n  bgt r1, r0, loop\nend: halt\n");
  ASSERT_EQ(program.code.size(), 4u);
  EXPECT_EQ(decode(program.code[0])->immediate, 3);
  EXPECT_EQ(decode(program.code[2])->immediate, -1);
  const std::string text = print_assembly(program);
  EXPECT_THAT(text, HasSubstr("beq r1, r2, L3"));
  EXPECT_THAT(text, HasSubstr("L1:\n"));
  EXPECT_THAT(text, HasSubstr("bgt r1, r0, L1"));
}

TEST(SnowflakeAssembly, BlocksAndRangesGoOnToTheNext) {
  const Program program = parsed(
      ".dram 100\n.block\n.range kind=setup\nnop\n.range kind=loop tile=3\nnop\nnop\n.block dram_word=20\nhalt\n");
  EXPECT_THAT(program.blocks, ElementsAre(CodeBlock{0, 3, 0}, CodeBlock{3, 1, 20}));
  EXPECT_THAT(program.ranges, ElementsAre(CodeRange{CodeRange::Kind::setup, 0, 1, 0, 0, 0},
                                          CodeRange{CodeRange::Kind::loop, 1, 3, 0, 3, 0}));
}

TEST(SnowflakeAssembly, DirectivesSetPlacesAndTheMachine) {
  const Program program = parsed(
      ".program \"a; \\\"b\\\"\" ; comment\n.machine cus 2\n.machine fixed_point q5.11 ; comment\n.machine bandwidth "
      "4.25\n.dram 500\n"
      ".region name=\"in\" kind=input words=300\n.layer name=\"c\" in.region=0 in.height=4 out.region=0 relu=yes\n");
  EXPECT_EQ(program.name, "a; \"b\"");
  EXPECT_EQ(program.machine.cus, 2);
  EXPECT_EQ(program.machine.fixed_point, FixedPoint::q5_11);
  EXPECT_DOUBLE_EQ(program.machine.bandwidth, 4.25e9);
  EXPECT_EQ(program.regions.at(0), (Region{"in", RegionKind::input, 0, 300, 0, 0}));
  EXPECT_EQ(program.layers.at(0).in.height, 4);
  EXPECT_TRUE(program.layers.at(0).relu);
}

}  // namespace
}  // namespace convscope::snowflake
