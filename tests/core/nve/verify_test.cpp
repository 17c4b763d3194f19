// One correct program passes; one mutation for each rule is refused by that rule.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/verify/verify_program.h"
#include "tests/core/nve/architecture_hand_programs.h"

namespace convscope::nve {
namespace {

using testing::HasSubstr;
using Rule = void (*)(const DecodedProgram&, Diagnostics&);

const Rule rules[] = {verify_shape,   verify_fields,       verify_port_conflicts, verify_addresses,
                      verify_traffic, verify_coefficients, verify_timing};

TEST(VerifyProgram, AcceptsCorrectPrograms) {
  for (const char* text : {hand::one_by_one, hand::three_by_three}) {
    Diagnostics diagnostics;
    EXPECT_TRUE(verify_program(hand::program(text), diagnostics));
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
}

/// The rule complains, and the program as a whole is refused.
void expect_refused(const Program& program, Rule rule, const char* complaint) {
  Diagnostics found, all;
  rule(DecodedProgram(program), found);
  EXPECT_THAT(found.text(), HasSubstr(complaint));
  EXPECT_FALSE(verify_program(program, all));
}

void expect_only(const Program& program, Rule rule, const char* complaint) {
  expect_refused(program, rule, complaint);
  for (Rule other : rules) {
    Diagnostics found;
    if (other != rule) other(DecodedProgram(program), found);
    EXPECT_FALSE(found.has_errors()) << found.text();
  }
}

struct Mutation {
  const char* name;
  const char* text;
  const char* from;
  const char* to;
  Rule rule;
  const char* complaint;
};

class VerifyRule : public testing::TestWithParam<Mutation> {};

TEST_P(VerifyRule, AloneRefuses) {
  const Mutation& mutation = GetParam();
  expect_only(hand::program(hand::replaced(mutation.text, mutation.from, mutation.to)), mutation.rule,
              mutation.complaint);
}

const Mutation mutations[] = {
    {"KernelHeight", hand::one_by_one, "layer \"L\"", "stride 9 x 1", verify_shape, "vertical subsampling 9"},
    {"Group", hand::one_by_one, "set ri 0", "set ri 1", verify_fields, "set of group 1"},
    {"AddressRange", hand::one_by_one, "rd 2+0c", "rd 510+0c", verify_addresses, "address 512"},
    {"RingNeverCloses", hand::one_by_one, "rd 2+0c", "rd 1+1c", verify_addresses, "update 1 never reaches toggle 4"},
    {"ColumnTwice", hand::one_by_one, "act 1 -> map 0 column 3", "act 1 -> map 0 column 2", verify_traffic,
     "column 2 leaves 2 times"},
    {"CoefficientNeverWritten", hand::one_by_one, "0.1\n", "0.1\ncoefficients 1 = -\n", verify_traffic,
     "is never written"},
    {"CoefficientTwice", hand::one_by_one, "0.0 0.1", "0.0 0.1 0.1", verify_coefficients, "2 places"},
    {"CoefficientMissing", hand::one_by_one, "0.0 0.1", "0.0 -", verify_coefficients, "0 places"},
    {"CoefficientUnknown", hand::one_by_one, "0.0 0.1", "0.0 0.1 0.2", verify_coefficients, "no coefficient 2"},
    {"PlaceNotLoaded", hand::one_by_one, "layer \"L\"", "machine weight_registers 1", verify_coefficients,
     "does not load"},
    {"NeverWritten", hand::one_by_one, "  rd 0\n", "  rd 40\n", verify_timing, "word 40, which was never written"},
    {"TooEarly", hand::one_by_one, "  nop\nrepeat 4:\n  rd 0\n", "repeat 4:\n  rd 2\n", verify_timing,
     "1 cycles after its write"},
    {"NothingRead", hand::one_by_one, "  rd 0\n", "  nop\n", verify_timing, "port A holds no word"},
    {"WrongKind", hand::one_by_one, "  rd 0\n", "  rd 1\n", verify_timing, "finds a word of pixels"},
    {"WrongWord", hand::one_by_one, "| rd 2+0c", "| rd 1+0c", verify_timing, "finds word 0"},
    {"WrongColumn", hand::three_by_three, "rd 3+3c | rd 4+3c", "rd 3+3c | rd 4+6c", verify_timing,
     "two words of one column"},
};

INSTANTIATE_TEST_SUITE_P(Each, VerifyRule, testing::ValuesIn(mutations),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(VerifyShape, RefusesWrongSizesAndWords) {
  Program program = hand::program(hand::one_by_one);
  program.words[3][1] = 1;
  expect_refused(program, verify_shape, "instruction 3");
  program = hand::program(hand::one_by_one);
  ++program.repeat_size;
  expect_refused(program, verify_shape, "sections hold 18");
  program = hand::program(hand::one_by_one);
  program.prologue_begin = 5;
  expect_refused(program, verify_shape, "prologue begins at 5");
  program = hand::program(hand::one_by_one);
  program.kernel_height = 9;
  expect_refused(program, verify_shape, "at most 23");
  program = hand::program(hand::one_by_one);
  program.machine.instruction_buffer_words = 16;
  expect_refused(program, verify_shape, "at most 16");
}

TEST(VerifyPortConflicts, RefusesTwoUsersOfPortA) {
  const auto text = hand::replaced(hand::three_by_three, "| sh rw | set ri 0", "| set rw | set ri 0");
  expect_refused(hand::program(text), verify_port_conflicts, "both take port A");
  Machine machine;
  machine.memory = MemoryKind::simple_dual_port;
  Program program = hand::build_one_by_one(machine, 1);
  const auto set = static_cast<std::size_t>(program.initial_size + machine.read_to_set);
  Instruction instruction = *decode(program.words[set], machine);
  instruction.image = ImageOperation::set_shift;
  program.words[set] = encode(instruction, machine);
  expect_refused(program, verify_port_conflicts, "both take port A");
}

TEST(VerifyFields, RefusesWhatAPortCannot) {
  Program program = hand::program(hand::one_by_one);
  Instruction instruction = *decode(program.words[8], program.machine);
  instruction.memb = {MemoryKindOfAccess::write, false, 9, 0};
  program.words[8] = encode(instruction, program.machine);
  program.repeat.stream.push_back({});
  expect_only(program, verify_fields, "MEMB: the port cannot write");
  program = hand::program(hand::three_by_three);
  program.machine.image_extension = 0;
  expect_refused(program, verify_fields, "has no extension");
}

TEST(VerifyFields, RefusesReadsAtTheWritePort) {
  Machine machine;
  machine.memory = MemoryKind::simple_dual_port;
  Program program = hand::build_one_by_one(machine, 1);
  Instruction instruction = *decode(program.words[static_cast<std::size_t>(program.initial_size)], machine);
  std::swap(instruction.mema, instruction.memw);
  program.words[static_cast<std::size_t>(program.initial_size)] = encode(instruction, machine);
  expect_refused(program, verify_fields, "MEMW: the port cannot read");
}

TEST(VerifyAddresses, KeepsPortsToTheirBanks) {
  expect_only(hand::read_of_the_other_bank(), verify_addresses, "expected 0 to 255");
}

TEST(VerifyTraffic, RefusesWhatDoesNotMatch) {
  Program program = hand::program(hand::one_by_one);
  program.repeat.stream.pop_back();
  expect_only(program, verify_traffic, "2 writes; expected 1");
  program = hand::program(hand::one_by_one);
  program.final.outputs.pop_back();
  expect_refused(program, verify_traffic, "2 ACTs; expected 1");
  program = hand::program(hand::one_by_one);
  program.repeat.outputs[0].half = 1;
  expect_refused(program, verify_traffic, "half 0; expected half 1");
  program = hand::program(hand::one_by_one);
  program.repeat.stream[0].index = 5;
  expect_refused(program, verify_traffic, "stream names input 5");
  program = hand::program(hand::one_by_one);
  program.repeat.outputs[0].map = -2;
  expect_refused(program, verify_traffic, "output names map -2");
}

// What a file of few lines can ask for would not fit any memory.
TEST(VerifyProgram, LooksAtNoMoreThanThereIs) {
  Program program = hand::program(hand::one_by_one);
  program.kernel_height = program.kernel_width = 1024;
  program.out_width = 1 << 20;
  program.maps.assign(100'000, program.maps.front());
  for (int map = 0; map < 100'000; ++map) {
    program.maps[static_cast<std::size_t>(map)].map = map;
    program.initial.outputs.push_back({map, map % 2, 5});
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(verify_program(program, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("2 places in all words; expected at least 104857700000"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("column 0 leaves 0 times"));
}

TEST(VerifyReports, AreCapped) {
  Program program = hand::program(hand::one_by_one);
  program.words.assign(400, EncodedWord{3, 0});
  Diagnostics diagnostics;
  verify_shape(DecodedProgram(program), diagnostics);
  EXPECT_LE(diagnostics.items().size(), 20U);
}

}  // namespace
}  // namespace convscope::nve
