// Assembly and program files: what is written reads back, and what is malformed is refused with its place.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/nmp/architecture/assembly.h"
#include "core/nmp/simulate/simulator.h"
#include "core/nmp/verify/verify_program.h"
#include "hand_program.h"

namespace convscope::nmp {
namespace {

TEST(NmpProgramText, RoundTrips) {
  const Program program = hand_program();
  Diagnostics diagnostics;
  EXPECT_EQ(read_any_program(write_program_file(program), "file", diagnostics), program) << diagnostics.text();
  EXPECT_EQ(read_any_program(print_assembly(program), "text", diagnostics), program) << diagnostics.text();
  EXPECT_TRUE(print_assembly(program).starts_with(".program \"hand\"\n"));
}

TEST(NmpProgramText, KeepsEveryParameterAndWordThatIsNone) {
  Program program = hand_program();
  program.level = CostLevel::walk;
  program.commands_hold_dram = false;
  program.machine.dram.kind = 2;
  program.machine.free_running = true;
  program.code.push_back(0xdeadbeef);
  program.layers[0].clamp_high = 32767;
  program.layers[0].name = "a \"b\" \\ c";
  Diagnostics diagnostics;
  EXPECT_EQ(read_any_program(write_program_file(program), "file", diagnostics), program) << diagnostics.text();
  EXPECT_EQ(read_any_program(print_assembly(program), "text", diagnostics), program) << diagnostics.text();
}

std::string complaint(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_any_program(text, "f", diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

std::string complaint_of_code(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(assemble(text, "f", diagnostics)) << text;
  return diagnostics.text();
}

TEST(NmpProgramText, SaysInWhichLineAssemblyIsWrong) {
  for (const auto& [line, says] : {std::pair{"nmp_weight 1, x2", "unknown instruction"},
                                   {"nmp_wait 16, x2", "0 to 15"},
                                   {"nmp_wait 1", "is missing"},
                                   {"nmp_wait 1, x2, x3", "too many"},
                                   {"addi x32, x0, 1", "x0 to x31"},
                                   {"addi x1, x0, 2048", "-2048 to 2047"},
                                   {"nmp_cfg C3, x1, x2", "C0, C2"},
                                   {"nmp_store 1, x1, x2, 0, multicast", "loads alone"},
                                   {"beq x0, x0, nowhere", "no label"},
                                   {"beq x0, x0, .+2", "multiple of 4"},
                                   {"lw x1, x2", "an offset and a register"},
                                   {"a b: ecall", "a label"},
                                   {".word 0x1ffffffff", "the word"},
                                   {".insn r CUSTOM_4, 0, 0, x0, x0, x0", "CUSTOM_0 to CUSTOM_3"}}) {
    const std::string text = complaint_of_code(std::string("ecall\n") + line + "\n");
    EXPECT_NE(text.find("f:2: "), std::string::npos) << text;
    EXPECT_NE(text.find(says), std::string::npos) << text;
  }
  EXPECT_NE(complaint_of_code("a:\na: ecall").find("stands twice"), std::string::npos);
}

TEST(NmpProgramText, TellsTheLineOfEachInstruction) {
  const std::string text = print_assembly(hand_program());
  Diagnostics diagnostics;
  std::vector<int> lines{7};
  const auto program = read_any_program(text, "text", diagnostics, &lines);
  ASSERT_TRUE(program) << diagnostics.text();
  ASSERT_EQ(lines.size(), program->code.size());
  std::vector<std::string> written(1);  // counted from 1
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1)
    written.push_back(text.substr(begin, (end = text.find('\n', begin)) - begin));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto instruction = decode(program->code[i]);
    if (instruction->operation != Operation::sync) continue;
    EXPECT_EQ(written[static_cast<std::size_t>(lines[i])], "  nmp_sync");
  }
  lines.clear();
  EXPECT_TRUE(read_any_program(write_program_file(*program), "file", diagnostics, &lines));
  EXPECT_TRUE(lines.empty()) << "a program file is no text";
}

TEST(NmpProgramText, SaysAtWhichDirectiveAMemberIsWrong) {
  std::string text = print_assembly(hand_program());
  const std::size_t place = text.find("\"first_byte\":1024,\"bytes\":1024");
  ASSERT_NE(place, std::string::npos);
  text.replace(place, 17, "\"first_byte\":1000");
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
  const std::string told = complaint(text);
  EXPECT_NE(told.find("f:" + std::to_string(line) + ": "), std::string::npos) << told;
  EXPECT_NE(told.find("region 1 first_byte"), std::string::npos) << told;
}

TEST(NmpProgramText, RefusesFilesThatContradictThemselves) {
  const std::string file = write_program_file(hand_program());
  for (const auto& [from, to] : {std::pair{"\"version\": 2", "\"version\": 1"},
                                 {"\"dram_bytes\": 4096", "\"dram_bytes\": 4000"},
                                 {"\"dram_bytes\": 4096", "\"dram_bytes\": 99999999999"},
                                 {"\"tlts\":2", "\"tlts\":3"},
                                 {"\"tlts\":2", "\"tlts\":64"},
                                 {"\"array\":\"pooled\"", "\"array\":\"lanes\""},
                                 {"\"kind\":\"weights\"", "\"kind\":\"wights\""},
                                 {"\"first_byte\":1024,\"bytes\":1024", "\"first_byte\":1000,\"bytes\":1024"},
                                 {"\"channel_parts\":[1]", "\"channel_parts\":[1,1]"},
                                 {"\"biases\":[10,20,30,40]", "\"biases\":[10]"},
                                 {"\"maps\":4,\"rows\":4,\"columns\":4,\"row_pitch\":8,\"map_pitch\":32",
                                  "\"maps\":4,\"rows\":4,\"columns\":4,\"row_pitch\":8,\"map_pitch\":31"},
                                 {"\"units\":4", "\"units\":1048577"},
                                 {"\"count\":35", "\"count\":1000"},
                                 {"\"level\": \"burst\"", "\"level\": 1"},
                                 {"\"traffic\": {", "\"traffic\": {\"more\":1,"},
                                 {"\"code\"", "\"codes\""}}) {
    std::string wrong = file;
    const std::size_t place = wrong.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    wrong.replace(place, std::string(from).size(), to);
    EXPECT_FALSE(complaint(wrong).empty()) << to;
  }
  for (const char* text :
       {"", "{", "[]", ".program \"x\"", ".program {", ".machine 1\necall", "{\"a\":[[[[[[[[1]]]]]]]]}"})
    EXPECT_FALSE(complaint(text).empty()) << text;
}

}  // namespace
}  // namespace convscope::nmp
