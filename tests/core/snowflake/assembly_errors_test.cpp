// Assembly that must be refused: each mistake with its line, all in one run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/snowflake/architecture/assembly.h"

namespace convscope::snowflake {
namespace {

using testing::HasSubstr;

std::string refused_assembly(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_assembly(text, "text", diagnostics)) << text;
  EXPECT_TRUE(diagnostics.has_errors());
  return diagnostics.text();
}

struct Mistake {
  const char* name;
  const char* line;  ///< the second one
  const char* complaint;
};

class SnowflakeAssemblyMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SnowflakeAssemblyMistake, IsReportedWithItsLine) {
  const std::string text = refused_assembly(std::string("nop\n") + GetParam().line + "\nnop\n");
  EXPECT_THAT(text, HasSubstr("text:2:"));
  EXPECT_THAT(text, HasSubstr(GetParam().complaint));
}

const Mistake mistakes[] = {
    {"Mnemonic", "mad r1, r2, r3", "unknown mnemonic 'mad'"},
    {"Register", "add r1, r2, r32", "'r32' instead of a register r0 to r31"},
    {"RegisterName", "add r1, x, r3", "instead of a register"},
    {"MissingOperand", "add r1, r2", "the line's end instead of ','"},
    {"ExtraOperand", "add r1, r2, r3, r4", "instead of the line's end"},
    {"WideImmediate", "addi r1, r2, 65536", "immediate 65536; expected -65536 to 65535"},
    {"VeryWideImmediate", "movi r1, 4194304", "expected -4194304 to 4194303"},
    {"HugeNumber", "movi r1, 99999999999999999999", "column 10: no number, or one that is too large"},
    {"TraceOfNothing", "max r1, r2, 0", "trace length 0; expected 1 to 2048"},
    {"LongTrace", "mac.coop r1, r2, r3, 2049", "trace length 2049"},
    {"Shift", "mov r1, r2 << 32", "shift 32; expected 0 to 31"},
    {"Selector", "vmov.bias r1, 4096", "selector 4096"},
    {"LoadTarget", "ld r1, r2, r3, 0, weights, 0, 0", "'weights' instead of maps, kernels or instructions"},
    {"LoadUnit", "ld r1, r2, r3, 4, maps, 0, 0", "unit 4; expected 0 to 3"},
    {"LabelOfANumber", "3: nop", "'3' in column 1 instead of a mnemonic"},
    {"LabelOfAText", "\"x\": nop", "instead of a mnemonic"},
    {"Label", "ble r1, r2, nowhere", "there is no label 'nowhere'"},
    {"Offset", "ble r1, r2, 2048", "2048; expected -2048 to 2047"},
    {"Directive", ".kernel 3", "unknown directive '.kernel'"},
    {"Field", ".region colour=3", "unknown field 'colour'"},
    {"FieldValue", ".region words=-1", "words is '-1'; expected 0 to"},
    {"FieldKind", ".region kind=blue", "kind is 'blue'; expected input, maps, output"},
    {"FieldTwice", ".region words=1 words=2", "'words' is given twice"},
    {"FieldWithoutValue", ".layer relu=", "'relu' without a value"},
    {"Flag", ".layer relu=perhaps", "relu is 'perhaps'; expected yes or no"},
    {"Parameter", ".machine lanes 3", "lanes"},
    {"ParameterWithoutValue", ".machine cus", "not one parameter and its value"},
    {"ParameterRange", ".machine cus 9", "9"},
    {"Quote", ".program \"x", "text has no closing quote"},
    {"Character", "add r1, r2, #3", "column 13: character has no meaning here"},
    {"ControlCharacter", ".program \"\x01\"", "text is no clean UTF-8"},
    {"Word", ".word 4294967296", "word 4294967296"},
};

INSTANTIATE_TEST_SUITE_P(Each, SnowflakeAssemblyMistake, testing::ValuesIn(mistakes),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(SnowflakeAssemblyErrors, AllAreCollected) {
  const std::string text = refused_assembly("mad\nadd r1, r2, r77\n.dram x\na: nop\na: nop\n.dram 3\n.dram 4\n");
  for (const char* line : {"text:1:", "text:2:", "text:3:", "text:5:", "text:7:"}) EXPECT_THAT(text, HasSubstr(line));
}

TEST(SnowflakeAssemblyErrors, FarLabelsAreRefused) {
  std::string text = "ble r1, r2, end\n";
  for (int i = 0; i < 2048; ++i) text += "nop\n";
  EXPECT_THAT(refused_assembly(text + "end: nop\n"), HasSubstr("'end' is 2049 instructions away"));
}

TEST(SnowflakeAssemblyErrors, ManyMistakesEndEarly) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "mad\n";
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_assembly(text, "text", diagnostics));
  EXPECT_EQ(diagnostics.count(Severity::error), Diagnostics::cap);
}

}  // namespace
}  // namespace convscope::snowflake
