// Both forms of a program round-trip.
#include "core/nve/architecture/assembly.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/nve/check_program.h"
#include "core/nve/verify/verify_program.h"
#include "tests/core/nve/architecture_hand_programs.h"

namespace convscope::nve {
namespace {

void expect_round_trips(const Program& program) {
  Diagnostics diagnostics;
  const std::string assembly = print_assembly(program);
  const auto parsed = parse_assembly(assembly, "printed", diagnostics);
  ASSERT_TRUE(parsed) << diagnostics.text() << assembly;
  EXPECT_TRUE(*parsed == program) << assembly;
  EXPECT_EQ(print_assembly(*parsed), assembly);
  const std::string file = write_program_file(program);
  const auto read = read_program_file(file, "written", diagnostics);
  ASSERT_TRUE(read) << diagnostics.text() << file;
  EXPECT_TRUE(*read == program) << file;
  EXPECT_EQ(write_program_file(*read), file);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST(Assembly, HandProgramsRoundTrip) {
  expect_round_trips(hand::program(hand::one_by_one));
  expect_round_trips(hand::program(hand::three_by_three));
}

TEST(Assembly, ProgramsOfEveryMemoryKindRoundTrip) {
  for (MemoryKind memory : {MemoryKind::true_dual_port, MemoryKind::simple_dual_port, MemoryKind::two_banks})
    for (int lanes : {4, 64}) {
      Machine machine;
      machine.memory = memory;
      machine.lanes = lanes;
      machine.port_bits = 128;
      expect_round_trips(hand::build_one_by_one(machine, 3));
    }
}

TEST(Assembly, EveryMemberIsKept) {
  Program program = hand::program(hand::one_by_one);
  program.name = "quote \" backslash \\ semicolon ; tab \t é";
  program.layer = "";
  program.machine.clock_hz = 33.3 * 1e6;
  program.machine.bandwidth = 1234.5 * 1e6;
  program.machine.transfer_mode = TransferMode::scatter_gather;
  program.machine.descriptor_cycles = 77;
  program.machine.cores = 3;
  program.stride_width = 3;
  program.polyphase = true;
  program.prologue_begin = 2;
  program.in_maps = 9;
  program.inputs = {4, 8, 0};
  program.maps.push_back({5, {2, 0}});
  program.coefficient_words.push_back({});
  program.coefficient_words.push_back({{}, {1, 3}});
  expect_round_trips(program);
  program.prologue_begin = program.initial_size;
  expect_round_trips(program);
  program.machine.transfer_mode = TransferMode::host_reordered;
  program.prologue_begin = 0;
  expect_round_trips(program);
}

TEST(Assembly, EmptySectionsRoundTrip) {
  Program program = hand::program(hand::one_by_one);
  program.initial_size = program.repeat_size = program.final_size = program.prologue_begin = 0;
  program.words.clear();
  program.initial = program.repeat = program.final = {};
  expect_round_trips(program);
}

TEST(Assembly, RecognizesEitherForm) {
  const Program program = hand::program(hand::one_by_one);
  Diagnostics diagnostics;
  EXPECT_TRUE(read_any_program(print_assembly(program), "a", diagnostics) == program);
  EXPECT_TRUE(read_any_program("\n  " + write_program_file(program), "b", diagnostics) == program);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST(Assembly, ReadsWindowsLineEndsAndNop) {
  const Program program = hand::program(hand::one_by_one);
  std::string text = hand::one_by_one;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
    text.replace(at, 1, "\r\n");
  EXPECT_TRUE(hand::program(text) == program);
}

TEST(Assembly, DocumentedProgramIsTheTestedOne) {
  std::ifstream file(std::string(CONVSCOPE_SOURCE_DIR) + "/docs/nve-encoding.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = page.find("program \"by hand\"");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_TRUE(hand::program(page.substr(begin, page.find("```", begin) - begin)) == hand::program(hand::one_by_one));
}

// What the page tells of a looped program: it is right, takes the cycles and has the words that are written there.
TEST(Assembly, DocumentedLoopedProgramComputesWhatItSays) {
  std::ifstream file(std::string(CONVSCOPE_SOURCE_DIR) + "/docs/nve-encoding.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  const std::size_t begin = page.find("program \"looped by hand\"");
  ASSERT_NE(begin, std::string::npos);
  Diagnostics diagnostics;
  const auto program =
      parse_assembly(page.substr(begin, page.find("```", begin) - begin), "nve-encoding.md", diagnostics);
  ASSERT_TRUE(program && verify_program(*program, diagnostics)) << diagnostics.text();
  EXPECT_EQ(program->cycles_per_strip(), 347);
  const ProgramCheck check = check_programs({*program}, layer_of(*program), {}, {}, diagnostics);
  EXPECT_TRUE(check.ran && check.matches) << diagnostics.text();
  EXPECT_EQ(program->words[18][0], 0x000a04000000002dU);
  EXPECT_EQ(program->words[27][0], 0x000018000000a00eU);
  EXPECT_EQ(program->words[36][0], 0x001c000000000000U);
}

TEST(Assembly, FieldTextNamesOperations) {
  Instruction instruction;
  EXPECT_EQ(field_text(instruction, Field::mema), "");
  instruction.mema = {MemoryKindOfAccess::read, true, 3, 2};
  instruction.memb = {MemoryKindOfAccess::read, false, 3, 2};
  instruction.memw = {MemoryKindOfAccess::write, false, 3, 0};
  instruction.image = ImageOperation::set;
  instruction.weight = WeightOperation::shift;
  instruction.vector = VectorOperation::set_bias;
  instruction.activate = true;
  EXPECT_EQ(field_text(instruction, Field::mema), "rd 3+2c");
  EXPECT_EQ(field_text(instruction, Field::memb), "rd 3+2");
  EXPECT_EQ(field_text(instruction, Field::memw), "wr 3");
  EXPECT_EQ(field_text(instruction, Field::ireg), "set ri 0");
  EXPECT_EQ(field_text(instruction, Field::wreg), "sh rw");
  EXPECT_EQ(field_text(instruction, Field::vmac), "set rb");
  EXPECT_EQ(field_text(instruction, Field::act), "act 0");
}

}  // namespace
}  // namespace convscope::nve
