// Every instruction survives encoding, and words decode as docs/snowflake-encoding.md says.
#include "core/snowflake/architecture/instruction.h"

#include <initializer_list>
#include <random>

#include <gtest/gtest.h>

#include "core/snowflake/architecture/machine.h"

namespace convscope::snowflake {
namespace {

/// Bits of a word that its opcode's form has; written down from the documented table, not from the code.
std::uint32_t bits_with_meaning(Opcode opcode) {
  switch (opcode) {
    case Opcode::mov:
    case Opcode::add:
    case Opcode::mul:
      return 0xF7FFF000;
    case Opcode::movi:
      return 0xFFFFFFFF;
    case Opcode::addi:
    case Opcode::muli:
      return 0xF7FFFFFF;
    case Opcode::mac:
    case Opcode::ld:
      return 0xFFFFFFFF;
    case Opcode::max:
      return 0xF7FE0FFF;
    case Opcode::vmov:
      return 0xF83E0FFF;
    case Opcode::ble:
    case Opcode::bgt:
    case Opcode::beq:
      return 0xF83FFFFF;
  }
  return 0;
}

std::initializer_list<std::int32_t> edges(Opcode opcode) {
  static constexpr std::initializer_list<std::int32_t> none{0}, immediate23{-4194304, -1, 0, 1, 4194303},
      immediate17{-65536, -1, 0, 1, 65535}, immediate12{-2048, -1, 0, 1, 2047}, field12{0, 1, 2047, 2048, 4095};
  switch (opcode) {
    case Opcode::movi:
      return immediate23;
    case Opcode::addi:
    case Opcode::muli:
      return immediate17;
    case Opcode::ble:
    case Opcode::bgt:
    case Opcode::beq:
      return immediate12;
    case Opcode::mac:
    case Opcode::max:
    case Opcode::vmov:
    case Opcode::ld:
      return field12;
    default:
      return none;
  }
}

std::uint32_t word_of(int code, std::uint32_t low) {
  return static_cast<std::uint32_t>(code) << 28 | (low & 0x0FFFFFFF);
}

TEST(SnowflakeEncoding, RoundTripsEveryFieldOfEveryOpcode) {
  for (int code = 0; code < opcode_count; ++code) {
    const auto opcode = static_cast<Opcode>(code);
    for (const std::int32_t immediate : edges(opcode))
      for (int number = 0; number < registers; ++number)
        for (const bool mode : {false, true})
          for (int place = 0; place < 3; ++place) {
            Instruction instruction{opcode, mode, 0, 0, 0, immediate};
            (place == 0   ? instruction.rd
             : place == 1 ? instruction.rs1
                          : instruction.rs2) = static_cast<std::uint8_t>(number);
            if (!operator_in_range(instruction)) continue;
            ASSERT_EQ(decode(encode(instruction)), instruction) << code << ' ' << immediate;
          }
  }
}

TEST(SnowflakeEncoding, TakesTheEdgesOfImmediatesAndNothingBeyond) {
  for (int code = 0; code < opcode_count; ++code) {
    Instruction instruction;
    instruction.opcode = static_cast<Opcode>(code);
    for (const std::int32_t immediate : edges(instruction.opcode)) {
      instruction.immediate = immediate;
      EXPECT_TRUE(operator_in_range(instruction)) << code << ' ' << immediate;
    }
    for (const std::int32_t beyond :
         {*edges(instruction.opcode).begin() - 1, *(edges(instruction.opcode).end() - 1) + 1}) {
      instruction.immediate = beyond;
      EXPECT_FALSE(operator_in_range(instruction)) << code << ' ' << beyond;
    }
  }
}

TEST(SnowflakeEncoding, RandomWordsKeepTheBitsThatMeanSomething) {
  std::mt19937 random(11);
  for (int i = 0; i < 2'000'000; ++i) {
    const auto word = static_cast<EncodedInstruction>(random());
    const auto instruction = decode(word);
    ASSERT_EQ(instruction.has_value(), word >> 28 < opcode_count) << std::hex << word;
    if (!instruction) continue;
    ASSERT_TRUE(operator_in_range(*instruction)) << std::hex << word;
    ASSERT_EQ(encode(*instruction), word & bits_with_meaning(instruction->opcode)) << std::hex << word;
  }
}

TEST(SnowflakeEncoding, RefusesTheThreeIllegalOpcodes) {
  for (int code = opcode_count; code < 16; ++code) EXPECT_FALSE(decode(word_of(code, 0))) << code;
}

TEST(SnowflakeEncoding, PlacesFieldsAsDocumented) {
  EXPECT_EQ(encode({Opcode::mov, false, 1, 2, 3, 0}), 0x00443000U);
  EXPECT_EQ(encode({Opcode::movi, false, 5, 0, 0, -1}), 0x197FFFFFU);
  EXPECT_EQ(encode({Opcode::addi, false, 31, 30, 0, -2}), 0x37FDFFFEU);
  EXPECT_EQ(encode({Opcode::mac, true, 4, 5, 6, 0x800 | 63}), 0x690A683FU);
  EXPECT_EQ(encode({Opcode::beq, false, 0, 0, 0, 0}), 0xB0000000U) << "halt";
  EXPECT_EQ(encode({Opcode::ld, true, 1, 2, 3, 0x0C5}), 0xC84430C5U);
}

TEST(SnowflakeEncoding, RefusesFieldsThatAFormHasNot) {
  EXPECT_FALSE(operator_in_range({Opcode::movi, true, 0, 0, 0, 0})) << "the bit is its immediate's";
  EXPECT_FALSE(operator_in_range({Opcode::max, false, 0, 0, 1, 0}));
  EXPECT_FALSE(operator_in_range({Opcode::vmov, false, 1, 0, 0, 0}));
  EXPECT_FALSE(operator_in_range({Opcode::beq, false, 1, 0, 0, 0}));
  EXPECT_FALSE(operator_in_range({Opcode::add, false, 32, 0, 0, 0}));
  EXPECT_FALSE(operator_in_range({static_cast<Opcode>(13), false, 0, 0, 0, 0}));
}

TEST(SnowflakeEncoding, VectorFieldsHoldTracesOfOneToTwoThousandWords) {
  for (std::int32_t immediate = 0; immediate < 4096; ++immediate) {
    const VectorField field = vector_field(immediate);
    EXPECT_GE(field.length, 1);
    EXPECT_LE(field.length, 2048);
    EXPECT_EQ(immediate_of(field), immediate);
  }
  EXPECT_EQ(immediate_of(VectorField{true, 16}), 0x80F);
}

TEST(SnowflakeEncoding, LoadFieldsNameUnitTargetCuAndVmac) {
  for (std::int32_t immediate = 0; immediate < 4096; ++immediate) {
    const auto field = load_field(immediate);
    ASSERT_EQ(field.has_value(), (immediate >> 2 & 3) != 3);
    if (field) {
      EXPECT_EQ(immediate_of(*field), immediate);
    }
  }
  EXPECT_EQ(immediate_of(LoadField{1, LoadTarget::kernels, 2, 3}), 0x0E5);
  EXPECT_EQ(immediate_of(LoadField{0, LoadTarget::maps, 4, 8}), 0x900);
}

TEST(SnowflakeEncoding, ConfigurationsComeBack) {
  std::mt19937 random(3);
  for (int i = 0; i < 10'000; ++i) {
    const auto value = static_cast<std::uint32_t>(random()) & ~0xCU;
    EXPECT_EQ(value_of(configuration(value)), value);
  }
  EXPECT_EQ(value_of({true, false, 0xF, 8, 3}), 0x000308F1U);
  EXPECT_EQ(value_of({false, true, 0x90, 0, 0}), 0x00009002U);
}

}  // namespace
}  // namespace convscope::snowflake
