// The verifier follows every coefficient and every pixel into the results: programs that compute something else are
// refused, whatever the activation makes of it.

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/check_program.h"
#include "core/nve/verify/verify_program.h"
#include "tests/core/nve/architecture_hand_programs.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

std::string complaints(const Program& program) {
  Diagnostics diagnostics;
  const bool right = verify_program(program, diagnostics);
  EXPECT_NE(right, diagnostics.has_errors());
  return diagnostics.text();
}

/// Compares pixels and accumulators with the reference.
bool computes_its_layer(const Program& program, Diagnostics& diagnostics) {
  const auto check = check_programs({program}, layer_of(program), {"seed:5", 5, 0}, {}, diagnostics);
  return check.ran && check.matches;
}

/// All programs of a layer at each level.
std::vector<Program> programs_of(const network::Layer& layer) {
  std::vector<Program> programs;
  for (const Switches& switches : {none, packing, modulo, fusion, thesis_layout, optimal}) {
    const auto compiled = compile(layer, switches);
    EXPECT_TRUE(compiled->mapped()) << compiled->reason();
    for (int i = 0; i < compiled->program_count(); ++i) {
      Diagnostics diagnostics;
      auto program = read_any_program(compiled->program_file(i), "program", diagnostics);
      EXPECT_TRUE(program) << diagnostics.text();
      if (program) programs.push_back(*std::move(program));
    }
  }
  return programs;
}

std::vector<network::Layer> layers() {
  network::Layer dilated = make_layer(3, 3, 1, {17, 9}, {{0}, {0}}, 1);
  dilated.dilation = {2, 2};
  dilated.in.size = {21, 13};
  return {make_layer(3, 3, 1, {18, 11}, {{0, 1}, {1}, {0, 1}}, 2), make_layer(6, 5, 2, {20, 8}, {{0}, {0}}, 1),
          make_layer(1, 1, 1, {9, 7}, {{0, 2}, {1, 2}}, 3), std::move(dilated)};
}

/// The n-th place of all words; words may be of different lengths.
Coefficient& place(Program& program, std::size_t n) {
  for (auto& word : program.coefficient_words) {
    if (n < word.size()) return word[n];
    n -= word.size();
  }
  ADD_FAILURE() << "no such place";
  return program.coefficient_words.front().front();
}

/// The program with two coefficients in each other's places.
Program swapped(Program program, std::size_t a, std::size_t b) {
  std::swap(place(program, a), place(program, b));
  return program;
}

std::size_t places(const Program& program) {
  std::size_t count = 0;
  for (const auto& word : program.coefficient_words) count += word.size();
  return count;
}

TEST(VerifySums, TwoCoefficientsInEachOthersPlacesAreRefused) {
  int tried = 0;
  for (const network::Layer& layer : layers())
    for (Program& program : programs_of(layer)) {
      EXPECT_EQ(complaints(program), "");
      for (std::size_t i = 0; i + 1 < places(program); ++i) {
        if (place(program, i) == place(program, i + 1)) continue;  // two empty ones
        const Program wrong = swapped(program, i, i + 1);
        EXPECT_NE(complaints(wrong), "") << program.name << ", places " << i << " and " << i + 1;
        ++tried;
      }
    }
  EXPECT_GT(tried, 500);
}

TEST(VerifySums, TheSampleFilterIsHeldToItsCoefficients) {
  const auto compiled = compile(sample("filter_3x3").layers.front(), none);
  Diagnostics diagnostics;
  Program program = *read_any_program(compiled->program_file(0), "program", diagnostics);
  for (std::size_t a = 0; a < places(program); ++a)
    for (std::size_t b = a + 1; b < places(program); ++b) {
      if (place(program, a) == place(program, b)) continue;
      EXPECT_NE(complaints(swapped(program, a, b)), "") << a << ' ' << b;
    }
}

// A word of the extension that comes after the first shift lies beside its place.
TEST(VerifySums, ALateSetshIsRefused) {
  const auto compiled = compile(sample("filter_3x3").layers.front(), none);
  Diagnostics diagnostics;
  const Program right = *read_any_program(compiled->program_file(0), "program", diagnostics);
  int late = 0;
  for (std::size_t i = 0; i < right.words.size(); ++i) {
    Instruction instruction = *decode(right.words[i], right.machine);
    if (instruction.image != ImageOperation::shift) continue;
    instruction.image = ImageOperation::set_shift;
    Program wrong = right;
    wrong.words[i] = encode(instruction, right.machine);
    const std::string text = complaints(wrong);
    EXPECT_NE(text, "") << "instruction " << i;
    late += text.find("beside its place") != std::string::npos;
    Diagnostics simulated;
    EXPECT_FALSE(computes_its_layer(wrong, simulated));
    EXPECT_THAT(simulated.text(), HasSubstr("ri holds no complete vector"));
  }
  EXPECT_GT(late, 0);
}

// No operation of a word that is fetched, set or shifted may be another without notice. What the verifier lets pass
// computes the layer.
TEST(VerifySums, WhatIsAcceptedComputesTheLayer) {
  int refused = 0, accepted = 0;
  const auto judge = [&](const Program& changed) {
    if (!complaints(changed).empty()) {
      ++refused;
      return;
    }
    ++accepted;
    Diagnostics diagnostics;
    const bool right = computes_its_layer(changed, diagnostics);
    // The simulator refuses more: what is lost unused is no wrong sum.
    EXPECT_TRUE(right || diagnostics.text().find("reference gives") == std::string::npos)
        << changed.name << ": " << diagnostics.text();
  };
  for (const Program& program : programs_of(layers().front()))
    for (std::size_t i = 0; i < program.words.size(); ++i) {
      const Instruction instruction = *decode(program.words[i], program.machine);
      const auto with = [&](const Instruction& other) {
        Program changed = program;
        changed.words[i] = encode(other, program.machine);
        judge(changed);
      };
      Instruction other = instruction;
      if (instruction.image != ImageOperation::none && instruction.image != ImageOperation::set) {
        other.image = instruction.image == ImageOperation::shift ? ImageOperation::set_shift : ImageOperation::shift;
        with(other);
      }
      if (instruction.weight == WeightOperation::shift) {
        other = instruction, other.weight = WeightOperation::none;
        with(other);
      }
      if (instruction.mema.kind == MemoryKindOfAccess::read) {
        other = instruction, other.mema.offset ^= 1;
        with(other);
      }
    }
  EXPECT_GT(refused, 200);
  EXPECT_GT(accepted + refused, 300);
}

struct SumMutation {
  const char* name;
  const char* text;
  const char* from;
  const char* to;
  const char* complaint;
};

class VerifySumsOf : public testing::TestWithParam<SumMutation> {};

TEST_P(VerifySumsOf, IsRefusedByThisRuleAlone) {
  const SumMutation& mutation = GetParam();
  const Program program = hand::program(hand::replaced(mutation.text, mutation.from, mutation.to));
  Diagnostics timing, sums;
  verify_timing(DecodedProgram(program), timing);
  EXPECT_EQ(timing.text(), "");
  verify_sums(DecodedProgram(program), sums);
  EXPECT_THAT(sums.text(), HasSubstr(mutation.complaint));
  EXPECT_THAT(complaints(program), HasSubstr(mutation.complaint));
}

const SumMutation sum_mutations[] = {
    {"SwappedWeights", hand::three_by_three, "0.0 0.1 0.2 -", "0.0 0.2 0.1 -", "ri was shifted 0 times; expected 1"},
    {"WeightsOfOtherColumns", hand::three_by_three, "0.3 0.4 0.5 -\ncoefficients 2 = 0.6 0.7",
     "0.6 0.4 0.5 -\ncoefficients 2 = 0.3 0.7", "column 1 of the kernel, with pixels of column 0"},
    {"BiasLast", hand::one_by_one, "0.0 0.1", "0.1 0.0", "set rb takes coefficient 1 of map 0"},
    {"LateExtension", hand::three_by_three, "rd 5+3c | set rw | sh ri | mac", "rd 5+3c | set rw | setsh ri | mac",
     "beside its place"},
    {"ColumnBeside", hand::one_by_one, "pixels 0 column 0 word 0\n  wr 2 <- pixels 0 column 0 word 1",
     "pixels 0 column 1 word 0\n  wr 2 <- pixels 0 column 1 word 1", "began at column 1 of the padded input"},
    {"MacTwice", hand::one_by_one, "| | | | mac\n  nop\n", "| | | | mac\n  | | | | mac\n",
     "takes coefficient 1 of map 0 once more"},
    {"NoMac", hand::one_by_one, "| | | | mac\n", "nop\n", "the sum holds 1 coefficients"},
};

INSTANTIATE_TEST_SUITE_P(Each, VerifySumsOf, testing::ValuesIn(sum_mutations),
                         [](const auto& instance) { return std::string(instance.param.name); });

// A layer so wide that the verifier leaves out repetitions, in and out of step with the ring.
TEST(VerifySums, ColumnsAreCountedToTheEndOfTheLoop) {
  for (const int width : {30, 31, 32, 57, 300}) {
    for (Program program : programs_of(make_layer(3, 2, 1, {16, width}, {{0}}, 1))) {
      EXPECT_EQ(complaints(program), "") << program.name << ", " << width << " columns";
      if (program.repeat.stream.empty()) continue;
      for (StreamWord& item : program.repeat.stream) ++item.column;
      EXPECT_THAT(complaints(program), HasSubstr("column"));
    }
  }
}

TEST(VerifySums, HalfOfTheOutputsIsAProgramOfItsOwn) {
  for (const char* other : {"act 1", "act 0"}) {
    std::string text = hand::one_by_one;
    for (std::size_t at; (at = text.find(std::string("  | | | | | ") + other)) != std::string::npos;)
      text.replace(at, text.find('\n', at) - at, "  nop");
    const Program program = hand::program(text);
    EXPECT_EQ(program.rows_per_strip(), 8);
    EXPECT_EQ(complaints(program), "");
    Diagnostics diagnostics;
    EXPECT_TRUE(computes_its_layer(program, diagnostics)) << diagnostics.text();
  }
}

// Coefficients of seed 1 saturate the sigmoid of this program; its accumulators don't lie.
TEST(CheckPrograms, ComparesAccumulators) {
  Program program = hand::program(hand::one_by_one);
  program.activation_shift = 0;
  Diagnostics diagnostics;
  EXPECT_TRUE(computes_its_layer(program, diagnostics)) << diagnostics.text();
  const Program wrong = swapped(program, 0, 1);
  const auto check = check_programs({wrong}, layer_of(wrong), {"seed:5", 5, 0}, {}, diagnostics);
  EXPECT_TRUE(check.ran);
  EXPECT_FALSE(check.matches);
  EXPECT_THAT(diagnostics.text(), HasSubstr("has an accumulator of"));
}

// The millionth map of a layer costs no more than the first.
TEST(CheckPrograms, ComputesTheMapsOfItsProgramsOnly) {
  Program program = hand::program(hand::replaced(hand::one_by_one, "map 0 = 0", "map 0 = 1000000"));
  program.out_height = 1 << 20;
  Diagnostics diagnostics;
  const auto check = check_programs({program}, layer_of(program), {"seed:5", 5, 1}, {}, diagnostics);
  EXPECT_TRUE(check.ran && check.matches) << diagnostics.text();
}

TEST(CheckPrograms, RefusesMoreOutputsThanItCanCompare) {
  Program program = hand::program(hand::one_by_one);
  program.out_height = program.out_width = 1 << 20;
  Diagnostics diagnostics;
  EXPECT_FALSE(check_programs({program}, layer_of(program), {"seed:5", 5, 0}, {}, diagnostics).ran);
  EXPECT_THAT(diagnostics.text(), HasSubstr("1 maps of 1048576x1048576 (width x height) pixels can't be compared"));
}

}  // namespace
}  // namespace convscope::nve::test
