// What must be refused: one mistake at a time, each with its line; damaged files at every length.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/architecture/assembly.h"
#include "tests/core/nve/architecture_hand_programs.h"

namespace convscope::nve {
namespace {

using testing::HasSubstr;

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* complaint;
  int line;  ///< 0: the mistake belongs to the whole program
};

class AssemblyMistake : public testing::TestWithParam<Mistake> {};

TEST_P(AssemblyMistake, IsReportedWithItsLine) {
  const Mistake& mistake = GetParam();
  const std::string text = hand::replaced(hand::one_by_one, mistake.from, mistake.to);
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_assembly(text, "hand.nve", diagnostics));
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_THAT(diagnostics.text(), HasSubstr(mistake.complaint));
  EXPECT_EQ(diagnostics.items()[0].where.file, "hand.nve");
  EXPECT_EQ(diagnostics.items()[0].where.line, mistake.line) << diagnostics.text();
  EXPECT_FALSE(diagnostics.items()[0].expected.empty());
}

const Mistake mistakes[] = {
    {"UnknownDirective", "kernel 1 x 1", "kernal 1 x 1", "unknown directive 'kernal'", 4},
    {"DirectiveTwice", "kernel 1 x 1", "layer \"M\"", "'layer' is given twice", 4},
    {"MissingDirective", "kernel 1 x 1", "", "no 'kernel' directive", 0},
    {"MalformedDirective", "kernel 1 x 1", "kernel 1 1", "instead of 'x'", 4},
    {"TooMuch", "kernel 1 x 1", "kernel 1 x 1 x 1", "instead of the line's end", 4},
    {"UnknownParameter", "layer \"L\"", "machine lames 8", "lames", 3},
    {"ParameterRange", "layer \"L\"", "machine lanes 24", "24", 3},
    {"ParameterTwice", "layer \"L\"\nkernel 1 x 1", "machine lanes 16\nmachine lanes 16", "given twice", 4},
    {"Constraint", "layer \"L\"", "machine image_extension 12", "must not exceed", 0},
    {"NumberTooLarge", "toggle 4", "toggle 99999999999999999999", "number is too large", 11},
    {"NoQuote", "\"by hand\"", "\"by hand", "no closing quote", 2},
    {"Escape", "\"by hand\"", "\"by \\q\"", "unknown escape", 2},
    {"Character", "toggle 4", "toggle 4 $", "no meaning", 11},
    {"MapOrder", "map 0 = 0", "map 1 = 0", "out of order", 8},
    {"CoefficientOrder", "coefficients 0 =", "coefficients 1 =", "out of order", 9},
    {"UnknownSection", "initial:", "start:", "unknown section", 14},
    {"SectionOrder", "initial:", "final:", "out of order", 19},
    {"RepeatWithoutCount", "repeat 4:", "repeat:", "unknown section", 19},
    {"UnknownOperation", "| | | | mac", "| | | | mul", "instead of 'set'", 24},
    {"WrongColumn", "| | | | mac", "| | | mac", "instead of 'sh'", 24},
    {"TooManyCells", "| | | | mac", "| | | | mac | | act", "instead of the line's end", 24},
    {"OffsetRange", "  rd 0\n", "  rd 512\n", "offset 512", 20},
    {"UpdateRange", "rd 2+0c", "rd 2+512c", "update 512", 21},
    {"GroupRange", "set ri 0", "set ri 8", "group 8", 23},
    {"HalfRange", "act 0 ->", "act 2 ->", "half 2", 26},
    {"WriteWithoutSource", "  wr 0 <- coefficients 0\n", "  wr 0\n", "instead of '<-'", 15},
    {"ReadWithSource", "  rd 0\n", "  rd 0 <- coefficients 0\n", "'<-'", 20},
    {"ActWithoutDestination", "act 0 -> map 0 column 3", "act 0", "instead of '->'", 32},
    {"CoefficientWordPosition", "<- coefficients 0", "<- coefficients 1", "expected 0 to 0", 0},
    {"InputPosition", "<- pixels 0 column 0", "<- pixels 1 column 0", "expected 0 to 0", 0},
    {"MapPosition", "-> map 0", "-> map 1", "expected 0 to 0", 0},
    {"InputOfMap", "from 0", "from 3", "expected 0 to 0", 0},
    {"InputOfLayer", "inputs = 0", "inputs = 2", "expected 0 to 0", 0},
    {"MapOfCoefficient", "0.1", "4.1", "expected -1 to 0", 0},
    {"LongCoefficientWord", "0.1", "0.1 - - -", "at most 4", 0},
    {"Iterations", "repeat 4:", "repeat 2000000:", "iterations", 0},
    {"NegativeKernel", "kernel 1 x 1", "kernel -1 x 1", "kernel height", 0},
    {"Shift", "activation_shift 6", "activation_shift 32", "expected 0 to 31", 0},
};

INSTANTIATE_TEST_SUITE_P(Each, AssemblyMistake, testing::ValuesIn(mistakes),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(AssemblyErrors, AllAreCollected) {
  std::string text = hand::replaced(hand::one_by_one, "kernel 1 x 1", "kernel 1");
  text = hand::replaced(text, "toggle 4", "toggle");
  text = hand::replaced(text, "| set rb\n", "| set rx\n");
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_assembly(text, "f", diagnostics));
  EXPECT_GE(diagnostics.items().size(), 2U) << diagnostics.text();
}

TEST(AssemblyErrors, ManyAreCapped) {
  std::string text = "initial:\n";
  for (int i = 0; i < 5000; ++i) text += "$\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_assembly(text, "f", diagnostics));
  EXPECT_LE(diagnostics.items().size(), 110U);
}

TEST(AssemblyErrors, HugeTextsAreRefusedAtOnce) {
  Diagnostics diagnostics;
  const std::string huge(std::size_t{17} << 20, '\n');
  EXPECT_FALSE(parse_assembly(huge, "f", diagnostics));
  EXPECT_FALSE(read_program_file(huge, "f", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("too large"));
}

/// Neither form may crash or be taken for whole when its end is missing.
TEST(AssemblyErrors, EveryTruncation) {
  const Program program = hand::program(hand::one_by_one);
  for (const std::string& text : {print_assembly(program), write_program_file(program)})
    for (std::size_t size = 0; size + 2 < text.size(); ++size) {
      Diagnostics diagnostics;
      const auto read = read_any_program(text.substr(0, size), "f", diagnostics);
      ASSERT_FALSE(read && *read == program && text[0] == '{') << size;
      ASSERT_TRUE(read || diagnostics.has_errors()) << size;
    }
}

struct Damage {
  const char* name;
  const char* from;
  const char* to;
  const char* complaint;
};

class ProgramFileDamage : public testing::TestWithParam<Damage> {};

TEST_P(ProgramFileDamage, IsRefused) {
  const std::string file = write_program_file(hand::program(hand::one_by_one));
  Diagnostics diagnostics;
  EXPECT_FALSE(read_program_file(hand::replaced(file, GetParam().from, GetParam().to), "p.json", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr(GetParam().complaint));
}

const Damage damages[] = {
    {"Syntax", "\"version\": 1,", "\"version\": 1", "p.json:4: error: malformed JSON"},
    {"Depth", "\"inputs\": [0]", "\"inputs\": [[[[[[[[0]]]]]]]]", "nest too deeply"},
    {"Format", "convscope-nve-program", "other", "another format"},
    {"Version", "\"version\": 1", "\"version\": 2", "another format or version"},
    {"Type", "\"name\": \"by hand\"", "\"name\": 3", "expected a text"},
    {"MissingMember", "\"name\": \"by hand\",\n", "", "no member 'name'"},
    {"UnknownMember", "\"version\"", "\"colour\": 1, \"version\"", "unknown member 'colour'"},
    {"MachineRange", "\"lanes\":16", "\"lanes\":17", "17"},
    {"MachineType", "\"lanes\":16", "\"lanes\":[16]", "machine lanes"},
    {"MachineConstraint", "\"image_extension\":7", "\"image_extension\":15", "must not exceed"},
    {"Float", "\"inputs\": [0]", "\"inputs\": [0.5]", "no integer"},
    {"Large", "\"inputs\": [0]", "\"inputs\": [99999999999999999999]", "no integer or too large"},
    {"Large64", "\"inputs\": [0]", "\"inputs\": [9223372036854775807]", "too large"},
    {"Pair", "\"kernel\":[1,1]", "\"kernel\":[1,1,1]", "expected 2"},
    {"WordDigits", "\"words\": [\"0", "\"words\": [\"x", "32 hexadecimal digits"},
    {"WordCode", "\"words\": [\"0", "\"words\": [\"8", "bits from 53"},
    {"Size", "\"final_size\":5", "\"final_size\":4", "sum of the sections"},
    {"Prologue", "\"prologue_begin\":4", "\"prologue_begin\":5", "prologue begin"},
    {"StreamItem", "[\"coefficients\",0]", "[\"coefficient\",0]", "no stream item"},
    {"StreamCount", "[[\"coefficients\",0],", "[", "one for each write"},
    {"OutputHalf", "[[0,0,-1]", "[[0,1,-1]", "half of the output"},
};

INSTANTIATE_TEST_SUITE_P(Each, ProgramFileDamage, testing::ValuesIn(damages),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace convscope::nve
