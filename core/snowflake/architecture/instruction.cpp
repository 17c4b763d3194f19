#include "core/snowflake/architecture/instruction.h"

#include <array>
#include <cassert>

namespace convscope::snowflake {
namespace {

/// Which fields an opcode has, and its immediate: bits, and whether it has a sign.
struct Form {
  bool mode, rd, rs1, rs2;
  int immediate_bits;
  bool is_signed;
};

constexpr std::array<Form, opcode_count> forms{{
    {false, true, true, true, 0, false},    // mov
    {false, true, false, false, 23, true},  // movi
    {false, true, true, true, 0, false},    // add
    {false, true, true, false, 17, true},   // addi
    {false, true, true, true, 0, false},    // mul
    {false, true, true, false, 17, true},   // muli
    {true, true, true, true, 12, false},    // mac
    {false, true, true, false, 12, false},  // max
    {true, false, true, false, 12, false},  // vmov
    {true, false, true, true, 12, true},    // ble
    {true, false, true, true, 12, true},    // bgt
    {true, false, true, true, 12, true},    // beq
    {true, true, true, true, 12, false},    // ld
}};

constexpr int opcode_bit = 28, mode_bit = 27, rd_bit = 22, rs1_bit = 17, rs2_bit = 12;
constexpr int register_bits = 5;
/// Of MOVI's immediate; its highest bit stands where others have their mode.
constexpr int movi_low_bits = 22;

const Form& form_of(Opcode opcode) {
  return forms[static_cast<std::size_t>(opcode)];
}

constexpr std::uint32_t mask(int bits) {
  return (1U << bits) - 1;
}

constexpr std::uint32_t bits_of(std::uint32_t value, int first, int count) {
  return value >> first & mask(count);
}

bool fits(std::int32_t value, int bits, bool is_signed) {
  if (bits == 0) return value == 0;
  const std::int32_t limit = std::int32_t{1} << (is_signed ? bits - 1 : bits);
  return value < limit && value >= (is_signed ? -limit : 0);
}

std::int32_t extended(std::uint32_t value, int bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  return static_cast<std::int32_t>((value ^ sign) - sign);
}

std::uint32_t encoded_immediate(const Form& form, std::int32_t immediate) {
  const std::uint32_t value = static_cast<std::uint32_t>(immediate) & mask(form.immediate_bits);
  if (form.immediate_bits <= movi_low_bits) return value;
  return (value & mask(movi_low_bits)) | value >> movi_low_bits << mode_bit;
}

std::int32_t decoded_immediate(const Form& form, EncodedInstruction word) {
  if (form.immediate_bits == 0) return 0;
  std::uint32_t value = word & mask(form.immediate_bits);
  if (form.immediate_bits > movi_low_bits)
    value = (word & mask(movi_low_bits)) | bits_of(word, mode_bit, 1) << movi_low_bits;
  return form.is_signed ? extended(value, form.immediate_bits) : static_cast<std::int32_t>(value);
}

std::uint8_t register_at(EncodedInstruction word, int first, bool has) {
  return static_cast<std::uint8_t>(has ? bits_of(word, first, register_bits) : 0);
}

/// A number of four bits whose halves lie apart, as the encoding grew beyond four CUs and vMACs.
constexpr std::uint32_t halves(std::uint32_t value, int low, int high) {
  return bits_of(value, low, 2) | bits_of(value, high, 2) << 2;
}
constexpr std::uint32_t in_halves(int value, int low, int high) {
  return (static_cast<std::uint32_t>(value) & 3U) << low | (static_cast<std::uint32_t>(value) >> 2 & 3U) << high;
}

}  // namespace

VectorField vector_field(std::int32_t immediate) {
  const auto value = static_cast<std::uint32_t>(immediate);
  return {bits_of(value, 11, 1) != 0, static_cast<int>(bits_of(value, 0, 11)) + 1};
}

std::int32_t immediate_of(const VectorField& field) {
  assert(field.length >= 1 && field.length <= 2048);
  return (field.length - 1) | (field.write_back ? 1 << 11 : 0);
}

std::optional<LoadField> load_field(std::int32_t immediate) {
  const auto value = static_cast<std::uint32_t>(immediate);
  const std::uint32_t target = bits_of(value, 2, 2);
  if (target > static_cast<std::uint32_t>(LoadTarget::instructions)) return std::nullopt;
  return LoadField{static_cast<int>(bits_of(value, 0, 2)), static_cast<LoadTarget>(target),
                   static_cast<int>(halves(value, 4, 8)), static_cast<int>(halves(value, 6, 10))};
}

std::int32_t immediate_of(const LoadField& field) {
  assert(field.unit >= 0 && field.unit < 4 && field.cu >= 0 && field.cu < 16 && field.vmac >= 0 && field.vmac < 16);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(field.unit) |
                                   static_cast<std::uint32_t>(field.target) << 2 | in_halves(field.cu, 4, 8) |
                                   in_halves(field.vmac, 6, 10));
}

Configuration configuration(std::uint32_t value) {
  Configuration read;
  read.relu = bits_of(value, 0, 1) != 0;
  read.lanes = bits_of(value, 1, 1) != 0;
  read.cus = static_cast<std::uint8_t>(bits_of(value, 4, 4) | bits_of(value, 12, 4) << 4);
  read.fraction = static_cast<int>(bits_of(value, 8, 4));
  read.hop = static_cast<int>(bits_of(value, 16, 16));
  return read;
}

std::uint32_t value_of(const Configuration& configuration) {
  assert(configuration.fraction >= 0 && configuration.fraction < 16);
  assert(configuration.hop >= 0 && configuration.hop < 1 << 16);
  const std::uint32_t cus = configuration.cus;
  return (configuration.relu ? 1U : 0U) | (configuration.lanes ? 2U : 0U) | (cus & 15U) << 4 | (cus >> 4) << 12 |
         static_cast<std::uint32_t>(configuration.fraction) << 8 | static_cast<std::uint32_t>(configuration.hop) << 16;
}

EncodedInstruction encode(const Instruction& instruction) {
  assert(operator_in_range(instruction));
  return static_cast<std::uint32_t>(instruction.opcode) << opcode_bit | (instruction.mode ? 1U : 0U) << mode_bit |
         static_cast<std::uint32_t>(instruction.rd) << rd_bit | static_cast<std::uint32_t>(instruction.rs1) << rs1_bit |
         static_cast<std::uint32_t>(instruction.rs2) << rs2_bit |
         encoded_immediate(form_of(instruction.opcode), instruction.immediate);
}

std::optional<Instruction> decode(EncodedInstruction word) {
  const std::uint32_t code = word >> opcode_bit;
  if (code >= opcode_count) return std::nullopt;
  const Form& form = forms[code];
  Instruction instruction;
  instruction.opcode = static_cast<Opcode>(code);
  instruction.mode = form.mode && bits_of(word, mode_bit, 1) != 0;
  instruction.rd = register_at(word, rd_bit, form.rd);
  instruction.rs1 = register_at(word, rs1_bit, form.rs1);
  instruction.rs2 = register_at(word, rs2_bit, form.rs2);
  instruction.immediate = decoded_immediate(form, word);
  return instruction;
}

bool operator_in_range(const Instruction& instruction) {
  if (static_cast<int>(instruction.opcode) >= opcode_count) return false;
  const Form& form = form_of(instruction.opcode);
  const auto register_in_range = [](int number, bool has) { return number < (has ? 1 << register_bits : 1); };
  return (form.mode || !instruction.mode) && register_in_range(instruction.rd, form.rd) &&
         register_in_range(instruction.rs1, form.rs1) && register_in_range(instruction.rs2, form.rs2) &&
         fits(instruction.immediate, form.immediate_bits, form.is_signed);
}

}  // namespace convscope::snowflake
