// What must be refused: one mutation of a correct program for each hazard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/simulate/simulator.h"
#include "tests/core/nve/architecture_hand_programs.h"

namespace convscope::nve {
namespace {

using testing::HasSubstr;

struct HazardMutation {
  const char* name;
  const char* text;
  const char* from;
  const char* to;
  const char* field;
  const char* complaint;
  int cycle;
};

class SimulatorHazard : public testing::TestWithParam<HazardMutation> {};

TEST_P(SimulatorHazard, IsNamed) {
  const HazardMutation& mutation = GetParam();
  const auto execution = hand::execute(hand::program(hand::replaced(mutation.text, mutation.from, mutation.to)));
  ASSERT_TRUE(execution.run.hazard) << "not noticed; output right: " << (execution.outputs == execution.expected);
  EXPECT_EQ(execution.run.hazard->field, mutation.field);
  EXPECT_THAT(execution.run.hazard->text, HasSubstr(mutation.complaint));
  EXPECT_EQ(execution.run.hazard->cycle, mutation.cycle) << execution.run.hazard->text;
}

const HazardMutation hazard_mutations[] = {
    {"ReadNeverWritten", hand::one_by_one, "  rd 0\n", "  rd 40\n", "MEMA", "word 40 was never written", 4},
    {"ReadTooEarly", hand::one_by_one, "  nop\nrepeat 4:\n  rd 0\n", "repeat 4:\n  rd 2\n", "MEMA", "1 cycles before",
     3},
    {"ReadCollides", hand::one_by_one, "| | set rw\n", "| rd 3 | set rw\n", "MEMB", "0 cycles before", 6},
    {"OutsideBuffer", hand::one_by_one, "rd 1+0c |", "rd 511+2c |", "MEMA", "address 513 is outside", 5},
    {"WriteAtPortB", hand::one_by_one, "| | | | mac\n", "| wr 9 <- coefficients 0 | | | mac\n", "MEMB",
     "only MEMA writes", 8},
    {"SetWithoutRead", hand::one_by_one, "  rd 0\n", "  nop\n", "WREG", "port A holds no word", 6},
    {"SetWithoutReadB", hand::one_by_one, "rd 1+0c | rd 2+0c", "rd 1+0c", "IREG", "port B holds no word", 7},
    {"WeightsFromPixels", hand::one_by_one, "  rd 0\n", "  rd 1\n", "WREG", "port A holds pixels", 6},
    {"PortConflict", hand::one_by_one, "| | set rw\n", "| | set rw | set ri 0\n", "IREG",
     "takes port A in the same cycle", 6},
    {"NoSuchGroup", hand::one_by_one, "set ri 0", "set ri 1", "IREG", "no such group", 7},
    {"CoefficientShiftedOut", hand::three_by_three, "| | sh rw | sh ri | mac\n", "| | sh rw | sh ri\n", "WREG",
     "coefficient 8 of map 0 leaves", 23},
    {"CoefficientOverwritten", hand::one_by_one, "| | | | mac\n", "nop\n", "WREG", "coefficient 1 of map 0 leaves", 14},
    {"BeyondCoefficients", hand::three_by_three, "| set rw | sh ri | mac\n  rd 2 | | sh rw | set ri 0 | mac",
     "| sh rw | sh ri | mac\n  rd 2 | | sh rw | set ri 0 | mac", "VMAC", "rw[0] holds no coefficient", 19},
    {"VectorOverwritten", hand::one_by_one, "| | | | mac\n", "| | | | set rb\n", "IREG", "group 0 is overwritten", 15},
    {"VectorShiftedUnused", hand::three_by_three, "setsh ri | mac\n", "setsh ri | set rb\n", "IREG",
     "the vector is shifted although", 16},
    {"ExtensionMissing", hand::three_by_three, "setsh ri", "sh ri", "VMAC", "ri holds no complete vector", 17},
    {"NoSum", hand::one_by_one, "act 0 -> map 0 column -1", "act 0 -> map 0 column 0", "ACT",
     "no sum of map 0, column 0", 10},
    {"ActTooEarly", hand::one_by_one, "nop\n  | | | | | act 0 -> map 0 column -1\n",
     "| | | | | act 0 -> map 0 column -1\n  nop\n", "ACT", "no sum of map 0, column 0", 17},
    {"Stale", hand::one_by_one, "| | | | set rb\n  nop", "nop\n  nop", "ACT", "stale", 39},
    {"HalvesOfTwoColumns", hand::one_by_one, "act 1 -> map 0 column 3", "act 1 -> map 0 column 2", "ACT",
     "the other half left as map 0, column 3", 40},
    {"HalfLost", hand::one_by_one, "act 1 -> map 0 column -1", "act 1 -> map 0 column -9", "VMAC",
     "half 1 of map 0, column 0, is lost", 23},
};

INSTANTIATE_TEST_SUITE_P(EachRule, SimulatorHazard, testing::ValuesIn(hazard_mutations),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// Runs a program that was changed beyond what assembly can say.
Hazard hazard_of(const Program& program) {
  const auto execution = hand::execute(program);
  EXPECT_TRUE(execution.run.hazard);
  return execution.run.hazard.value_or(Hazard{});
}

TEST(SimulatorHazards, VectorNeverSet) {
  std::string text = hand::replaced(hand::one_by_one, "| set ri 0 | set rb", "| | set rb");
  const Hazard hazard = hazard_of(hand::program(text));
  EXPECT_EQ(hazard.field, "VMAC");
  EXPECT_EQ(hazard.cycle, 8) << "the mac is named, not the ACT that would deliver it";
  EXPECT_THAT(hazard.text, HasSubstr("ri holds no complete vector"));
}

TEST(SimulatorHazards, NoBias) {
  std::string text = hand::replaced(hand::one_by_one, "set ri 0 | set rb", "set ri 0 | mac");
  text = hand::replaced(text, "column -1", "column -9");
  text = hand::replaced(text, "column -1", "column -9");
  const Hazard hazard = hazard_of(hand::program(text));
  EXPECT_EQ(hazard.field, "VMAC");
  EXPECT_THAT(hazard.text, HasSubstr("expected a set rb before"));
}

TEST(SimulatorHazards, GarbageThatNothingTakesIsNone) {
  // The prologue of a rotated kernel works on an iteration before the first: a mac without pixels, never delivered.
  const auto text = hand::replaced(hand::one_by_one, "  nop\nrepeat", "  | | | | mac\nrepeat");
  const auto execution = hand::execute(hand::program(text));
  EXPECT_FALSE(execution.run.hazard);
  EXPECT_EQ(execution.outputs, execution.expected);
}

TEST(SimulatorHazards, BankOfTheOtherPort) {
  const Hazard hazard = hazard_of(hand::read_of_the_other_bank());
  EXPECT_EQ(hazard.field, "MEMA");
  EXPECT_THAT(hazard.text, HasSubstr("lies in bank 1"));
}

TEST(SimulatorHazards, SetShiftTakesPortAWithoutPortB) {
  Machine machine;
  machine.memory = MemoryKind::simple_dual_port;
  Program program = hand::build_one_by_one(machine, 1);
  const auto set = static_cast<std::size_t>(program.initial_size + machine.read_to_set);
  Instruction instruction = *decode(program.words[set], machine);
  instruction.image = ImageOperation::set_shift;
  program.words[set] = encode(instruction, machine);
  EXPECT_THAT(hazard_of(program).text, HasSubstr("takes port A in the same cycle"));
}

TEST(SimulatorHazards, TrafficAndBinaryMustAgree) {
  Program program = hand::program(hand::one_by_one);
  program.repeat.stream.pop_back();
  EXPECT_THAT(hazard_of(program).text, HasSubstr("supplies no word"));
  program = hand::program(hand::one_by_one);
  program.repeat.stream.push_back({});
  EXPECT_THAT(hazard_of(program).text, HasSubstr("1 words and 0 outputs"));
  program = hand::program(hand::one_by_one);
  program.repeat.outputs.pop_back();
  EXPECT_THAT(hazard_of(program).text, HasSubstr("expects no output"));
  program.repeat.outputs.push_back({0, 0, -1});
  EXPECT_THAT(hazard_of(program).text, HasSubstr("expects half 0"));
  program.repeat.outputs.back().map = 7;
  EXPECT_THAT(hazard_of(program).text, HasSubstr("does not exist"));
}

TEST(SimulatorHazards, LoadRefusesBrokenBinaries) {
  Program program = hand::program(hand::one_by_one);
  program.words[6][1] = 1;
  const Hazard hazard = hazard_of(program);
  EXPECT_EQ(hazard.field, "load");
  EXPECT_EQ(hazard.address, 6);
  program = hand::program(hand::one_by_one);
  ++program.final_size;
  EXPECT_THAT(hazard_of(program).text, HasSubstr("expected 17 in all"));
  program = hand::program(hand::one_by_one);
  program.stride_height = 9;
  EXPECT_THAT(hazard_of(program).text, HasSubstr("vertical subsampling 9"));
}

/// A correct program with any one operation left out is refused or gives another result.
TEST(SimulatorHazards, EveryOperationMatters) {
  const Program correct = hand::program(hand::three_by_three);
  for (std::size_t address = 0; address < correct.words.size(); ++address)
    for (Field field : {Field::mema, Field::memb, Field::wreg, Field::ireg, Field::vmac}) {
      Program program = correct;
      Instruction instruction = *decode(program.words[address], program.machine);
      if (field_text(instruction, field).empty() || field_text(instruction, field).starts_with("wr")) continue;
      if (field == Field::mema || field == Field::memb) instruction.memory(field) = {};
      if (field == Field::wreg) instruction.weight = WeightOperation::none;
      if (field == Field::ireg) instruction.image = ImageOperation::none;
      if (field == Field::vmac) instruction.vector = VectorOperation::none;
      program.words[address] = encode(instruction, program.machine);
      const auto execution = hand::execute(program);
      EXPECT_TRUE(execution.run.hazard || execution.outputs != execution.expected)
          << "instruction " << address << ' ' << field_name(field);
    }
}

}  // namespace
}  // namespace convscope::nve
