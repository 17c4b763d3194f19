// Every instruction of every machine survives encoding, and machine descriptions describe the thesis's machine.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "core/arch/preset.h"
#include "core/nve/architecture/instruction.h"
#include "tests/core/arch/round_trip.h"

namespace convscope::nve {
namespace {

template <typename Visit>
void each_machine(Visit visit) {
  for (MemoryKind memory : {MemoryKind::true_dual_port, MemoryKind::simple_dual_port, MemoryKind::two_banks})
    for (int lanes : {4, 16, 64})
      for (int bits : {64, 128})
        for (int words : {64, 512, 16384}) {
          Machine machine;
          machine.memory = memory;
          machine.lanes = lanes;
          machine.port_bits = bits;
          machine.local_buffer_words = words;
          visit(machine);
        }
}

class RandomInstructions {
 public:
  explicit RandomInstructions(const Machine& machine) : machine_(machine) {}

  Instruction next() {
    Instruction instruction;
    for (Field field : {Field::mema, Field::memb, Field::memw})
      if (has_field(machine_, field)) instruction.memory(field) = memory();
    instruction.weight = static_cast<WeightOperation>(below(3));
    instruction.image = static_cast<ImageOperation>(below(4));
    if (instruction.image == ImageOperation::set) instruction.image_group = below(RegisterLayout(machine_, 8).groups());
    instruction.vector = static_cast<VectorOperation>(below(3));
    instruction.activate = below(2) != 0;
    if (instruction.activate) instruction.half = below(2);
    return instruction;
  }

 private:
  int below(int limit) { return static_cast<int>(generator_() % static_cast<unsigned>(limit)); }
  MemoryField memory() {
    MemoryField field;
    field.kind = static_cast<MemoryKindOfAccess>(below(3));
    if (field.kind == MemoryKindOfAccess::none) return field;
    field.circular = below(2) != 0;
    field.offset = below(machine_.local_buffer_words);
    field.update = below(machine_.local_buffer_words);
    return field;
  }
  Machine machine_;
  std::mt19937 generator_{1};
};

TEST(Encoding, RoundTripsOnEveryMachine) {
  each_machine([](const Machine& machine) {
    RandomInstructions random(machine);
    for (int i = 0; i < 200; ++i) {
      const Instruction instruction = random.next();
      std::string error;
      const auto decoded = decode(encode(instruction, machine), machine, &error);
      ASSERT_TRUE(decoded) << error;
      ASSERT_EQ(*decoded, instruction);
    }
  });
}

TEST(Encoding, FitsAWordOnEveryMachine) {
  int longest = 0;
  each_machine([&](const Machine& machine) { longest = std::max(longest, instruction_bits(machine)); });
  EXPECT_LE(longest, 128);
  EXPECT_EQ(instruction_bits(Machine{}), 2 * 21 + 2 + 5 + 2 + 2) << "the table in docs/nve-encoding.md";
}

/// The worked example of docs/nve-encoding.md.
TEST(Encoding, PlacesFieldsAsDocumented) {
  Instruction instruction;
  instruction.mema = {MemoryKindOfAccess::read, true, 3, 2};
  instruction.weight = WeightOperation::set;
  instruction.vector = VectorOperation::mac;
  const EncodedWord expected{1ULL | 1ULL << 2 | 3ULL << 3 | 2ULL << 12 | 1ULL << 42 | 2ULL << 49, 0};
  EXPECT_EQ(encode(instruction, Machine{}), expected);
}

TEST(Encoding, OperandsOfAbsentOperationsAreNotEncoded) {
  Instruction instruction;
  instruction.image_group = 3;
  instruction.half = 1;
  instruction.memb.offset = 7;
  EXPECT_EQ(encode(instruction, Machine{}), (EncodedWord{0, 0}));
}

TEST(Encoding, FieldsFollowTheMachine) {
  Machine machine;
  EXPECT_TRUE(has_field(machine, Field::memb));
  EXPECT_FALSE(has_field(machine, Field::memw));
  machine.memory = MemoryKind::simple_dual_port;
  EXPECT_FALSE(has_field(machine, Field::memb));
  EXPECT_TRUE(has_field(machine, Field::memw));
  machine.memory = MemoryKind::two_banks;
  EXPECT_TRUE(has_field(machine, Field::memb));
  EXPECT_TRUE(has_field(machine, Field::memw));
  EXPECT_STREQ(field_name(Field::act), "ACT");
}

TEST(MachineDescription, DefaultsAreTheThesis) {
  const arch::ParameterValues values(machine_description());
  Diagnostics diagnostics;
  EXPECT_TRUE(values.check(diagnostics)) << diagnostics.text();
  EXPECT_EQ(machine_from(values), Machine{});
}

TEST(MachineDescription, EachParameterChangesTheMachine) {
  const arch::ParameterValues values(machine_description());
  for (std::size_t i = 0; i < values.description().parameters.size(); ++i) {
    const auto& parameter = values.description().parameters[i];
    EXPECT_FALSE(parameter.help.empty() || parameter.label.empty() || parameter.group.empty()) << parameter.name;
    for (double value : {parameter.minimum, parameter.maximum}) {
      EXPECT_FALSE(arch::range_violation(parameter, value)) << parameter.name;
      arch::ParameterValues changed = values;
      changed.set_at(i, value);
      EXPECT_EQ(machine_from(changed) == Machine{}, value == parameter.initial) << parameter.name << ' ' << value;
    }
  }
}

TEST(MachineDescription, GoesToAMachineAndBack) {
  arch::expect_round_trips<Machine>(machine_description(), machine_from, parameter_values,
                                    [](const std::string&, const Machine&) { return true; });
}

TEST(MachineDescription, ExtensionMustFitAWord) {
  arch::ParameterValues values(machine_description());
  Diagnostics diagnostics;
  ASSERT_TRUE(values.set("image_extension", "9", diagnostics));
  EXPECT_FALSE(values.check(diagnostics));
  EXPECT_NE(diagnostics.text().find("image_extension"), std::string::npos);
  ASSERT_TRUE(values.set("port_width", "128", diagnostics));
  Diagnostics none;
  EXPECT_TRUE(values.check(none)) << none.text();
}

TEST(MachineDescription, ThesisPresetIsTheDefault) {
  std::ifstream file(std::string(CONVSCOPE_SOURCE_DIR) + "/resources/presets/nve-thesis.xml");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Diagnostics diagnostics;
  const auto preset = arch::read_preset(text, "nve-thesis.xml", machine_description(), diagnostics);
  ASSERT_TRUE(preset) << diagnostics.text();
  EXPECT_EQ(machine_from(preset->values), Machine{});
  for (const auto& parameter : preset->values.description().parameters)
    EXPECT_NE(text.find('"' + parameter.name + '"'), std::string::npos) << "not in the preset: " << parameter.name;
}

TEST(RegisterLayout, IsTheThesisForStrideOneAndTwo) {
  const RegisterLayout one(Machine{}, 1);
  EXPECT_EQ(one.base_words, 2);
  EXPECT_EQ(one.groups(), 1);
  EXPECT_EQ(one.register_pixels(), 23) << "ri[0-22]";
  EXPECT_EQ(one.words(1), 2);
  EXPECT_EQ(one.words(3), 3);
  EXPECT_EQ(one.max_kernel_height(), 8);
  const RegisterLayout two(Machine{}, 2);
  EXPECT_EQ(two.groups(), 2) << "set lo, set hi";
  EXPECT_EQ(two.register_pixels(), 39);
  EXPECT_EQ(two.words(6), 5);
  EXPECT_EQ(two.port(4), 1) << "the extension comes from port B";
}

TEST(RegisterLayout, SinglePortSetsOneWord) {
  Machine machine;
  machine.memory = MemoryKind::simple_dual_port;
  const RegisterLayout layout(machine, 1);
  EXPECT_EQ(layout.groups(), 2);
  EXPECT_EQ(layout.port(1), 0);
}

}  // namespace
}  // namespace convscope::nve
