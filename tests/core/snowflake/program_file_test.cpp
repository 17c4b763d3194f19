// Program files: every program comes back; what is hostile or wrong is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/snowflake/architecture/assembly.h"
#include "random_program.h"

namespace convscope::snowflake {
namespace {

using testing::HasSubstr;

TEST(SnowflakeProgramFile, RandomProgramsComeBack) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const Program program = test::random_program(seed);
    Diagnostics diagnostics;
    const auto again = read_program_file(write_program_file(program), "file", diagnostics);
    ASSERT_TRUE(again) << seed << diagnostics.text();
    ASSERT_EQ(*again, program) << seed;
  }
}

TEST(SnowflakeProgramFile, BothFormsAreRecognized) {
  const Program program = test::random_program(5);
  Diagnostics diagnostics;
  EXPECT_EQ(read_any_program(write_program_file(program), "file", diagnostics), program);
  EXPECT_EQ(read_any_program(print_assembly(program), "file", diagnostics), program);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
}

/// A small program whose text the mistakes below change.
std::string file() {
  Program program;
  program.name = "small";
  program.dram_words = 1000;
  program.regions = {{"in", RegionKind::input, 0, 100, 0, 0}, {"out", RegionKind::output, 100, 100, 0, 0}};
  program.layers.resize(1);
  program.layers[0].in = {0, 0, 2, 3, 16, 16};
  program.layers[0].out = {1, 0, 2, 3, 16, 16};
  program.code = {0, 0xB0000000};
  program.blocks = {{0, 2, 200}};
  program.ranges = {{CodeRange::Kind::setup, 0, 2, 0, 0, 0}};
  return write_program_file(program);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  const char* complaint;
};

class SnowflakeProgramFileMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SnowflakeProgramFileMistake, IsRefused) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read_program_file(replaced(file(), GetParam().from, GetParam().to), "file", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr(GetParam().complaint));
}

const Mistake mistakes[] = {
    {"NoJson", "{\n", "[\n", "file:"},
    {"Format", "convscope-snowflake-program", "convscope-nve-program", "another format"},
    {"Version", "\"version\": 1", "\"version\": 2", "another format or version"},
    {"MissingMember", "\"dram_words\": 1000,\n", "", "no member 'dram_words'"},
    {"UnknownMember", "\"version\": 1", "\"version\": 1, \"extra\": 1", "unknown member 'extra'"},
    {"HugeDram", "\"dram_words\": 1000", "\"dram_words\": 536870913", "expected 0 to 536870912"},
    {"GiganticDram", "\"dram_words\": 1000", "\"dram_words\": 18446744073709551615", "expected 0 to 536870912"},
    {"FractionOfDram", "\"dram_words\": 1000", "\"dram_words\": 1.5", "expected an integer"},
    {"SmallDram", "\"dram_words\": 1000", "\"dram_words\": 150", "region 1 end: 200; expected 0 to 150"},
    {"Parameter", "\"cus\":4", "\"cus\":99", "99"},
    {"MissingParameter", "\"cus\":4,", "", "no member 'cus'"},
    {"UnknownParameter", "\"cus\":4", "\"cus\":4,\"lanes\":1", "unknown member 'lanes'"},
    {"ParameterKind", "\"cus\":4", "\"cus\":[4]", "machine cus: array"},
    {"Constraint", "\"store_fifo\":4096", "\"store_fifo\":64", "store_fifo must hold"},
    {"RegionKind", "\"kind\":\"input\"", "\"kind\":\"inputs\"", "region 0 kind: 'inputs'"},
    {"NegativeRegion", "\"first_word\":0", "\"first_word\":-1", "region 0 first_word: -1; expected 0 to"},
    {"LayersOfARegion", "\"last_layer\":0", "\"last_layer\":1", "region 0 last_layer: 1; expected 0 to 0"},
    {"LayerKind", "\"convolution\"", "\"pooling\"", "layer 0 kind: 'pooling'"},
    {"MapsOutside", "\"height\":2", "\"height\":3", "layer 0 in: 3 x 3 pixels of 16 words from word 0"},
    {"MapsOverflow", "\"height\":2", "\"height\":1048576", "maps inside the region's 100 words"},
    {"Pitch", "\"pitch\":16", "\"pitch\":15", "layer 0 in pitch: 15; expected 16 to"},
    {"NoInput", "\"in\":{\"region\":0", "\"in\":{\"region\":-1", "layer 0 in region: -1; expected 0 to 1"},
    {"NoSuchRegion", "\"in\":{\"region\":0", "\"in\":{\"region\":2", "layer 0 in region: 2; expected 0 to 1"},
    {"Stride", "\"stride_height\":1", "\"stride_height\":0", "layer 0 stride_height: 0; expected 1 to"},
    {"Fraction", "\"fraction\":8", "\"fraction\":16", "layer 0 fraction: 16; expected 0 to 15"},
    {"Flag", "\"relu\":false", "\"relu\":0", "layer 0 relu: number; expected true or false"},
    {"BlockBehindCode", "\"first\":0,\"count\":2,\"dram_word\"", "\"first\":1,\"count\":2,\"dram_word\"",
     "block 0 end: 3; expected 1 to 2"},
    {"BlockBehindDram", "\"dram_word\":200", "\"dram_word\":997", "block 0 end in DRAM: 1001"},
    {"RangeBehindCode", "\"kind\":\"setup\",\"first\":0,\"count\":2", "\"kind\":\"setup\",\"first\":0,\"count\":3",
     "range 0 end: 3"},
    {"RangeOfNoLayer", "\"count\":2,\"layer\":0", "\"count\":2,\"layer\":1", "range 0 layer: 1"},
    {"RangeKind", "\"setup\"", "\"set-up\"", "range 0 kind: 'set-up'"},
    {"Code", "b0000000", "B0000000", "8 hexadecimal digits for each"},
    {"HalfAWord", "b0000000", "b000000", "8 hexadecimal digits for each"},
    {"CodeOfNumbers", "\"00000000b0000000\"", "12", "no instructions"},
    {"ControlCharacter", "\"small\"", "\"sm\\u0001all\"", "name: text that is no clean UTF-8"},
};

INSTANTIATE_TEST_SUITE_P(Each, SnowflakeProgramFileMistake, testing::ValuesIn(mistakes),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(SnowflakeProgramFile, TextCutAnywhereIsRefused) {
  const std::string text = file();
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
    Diagnostics diagnostics;
    ASSERT_FALSE(read_program_file(text.substr(0, size), "file", diagnostics)) << size;
    ASSERT_TRUE(diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace convscope::snowflake
