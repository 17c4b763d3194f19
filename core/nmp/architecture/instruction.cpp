#include "core/nmp/architecture/instruction.h"

#include <array>
#include <cassert>

namespace convscope::nmp {
namespace {

/// The fixed bits of an operation.
struct Code {
  std::string_view name;
  Format format;
  std::uint8_t opcode, funct3 = 0, funct7 = 0;
};

// The RISC-V manual's major opcodes, as far as they are used here.
constexpr std::uint8_t upper = 0x37, upper_pc = 0x17, jump = 0x6f, jump_register = 0x67, branch = 0x63,
                       from_data = 0x03, to_data = 0x23, with_immediate = 0x13, with_register = 0x33,
                       environment = 0x73;
constexpr std::uint8_t custom_0 = 0x0b, custom_1 = 0x2b, custom_2 = 0x5b, custom_3 = 0x7b;

constexpr std::array<Code, operation_count> codes{{
    {"lui", Format::u, upper},
    {"auipc", Format::u, upper_pc},
    {"jal", Format::j, jump},
    {"jalr", Format::i, jump_register, 0},
    {"beq", Format::b, branch, 0},
    {"bne", Format::b, branch, 1},
    {"blt", Format::b, branch, 4},
    {"bge", Format::b, branch, 5},
    {"bltu", Format::b, branch, 6},
    {"bgeu", Format::b, branch, 7},
    {"lb", Format::i, from_data, 0},
    {"lh", Format::i, from_data, 1},
    {"lw", Format::i, from_data, 2},
    {"lbu", Format::i, from_data, 4},
    {"lhu", Format::i, from_data, 5},
    {"sb", Format::s, to_data, 0},
    {"sh", Format::s, to_data, 1},
    {"sw", Format::s, to_data, 2},
    {"addi", Format::i, with_immediate, 0},
    {"slti", Format::i, with_immediate, 2},
    {"sltiu", Format::i, with_immediate, 3},
    {"xori", Format::i, with_immediate, 4},
    {"ori", Format::i, with_immediate, 6},
    {"andi", Format::i, with_immediate, 7},
    {"slli", Format::shift, with_immediate, 1, 0},
    {"srli", Format::shift, with_immediate, 5, 0},
    {"srai", Format::shift, with_immediate, 5, 0x20},
    {"add", Format::r, with_register, 0, 0},
    {"sub", Format::r, with_register, 0, 0x20},
    {"sll", Format::r, with_register, 1, 0},
    {"slt", Format::r, with_register, 2, 0},
    {"sltu", Format::r, with_register, 3, 0},
    {"xor", Format::r, with_register, 4, 0},
    {"srl", Format::r, with_register, 5, 0},
    {"sra", Format::r, with_register, 5, 0x20},
    {"or", Format::r, with_register, 6, 0},
    {"and", Format::r, with_register, 7, 0},
    {"ecall", Format::none, environment, 0},
    {"nmp_load", Format::r, custom_0, 0},
    {"nmp_load3d", Format::r, custom_0, 1},
    {"nmp_store", Format::r, custom_0, 2},
    {"nmp_store3d", Format::r, custom_0, 3},
    {"nmp_fetch", Format::r, custom_0, 4},
    {"nmp_conv2d", Format::r, custom_1, 0},
    {"nmp_pool", Format::r, custom_1, 1},
    {"nmp_veop", Format::r, custom_1, 2},
    {"nmp_activation", Format::r, custom_1, 3},
    {"nmp_percept", Format::r, custom_1, 4},
    {"nmp_cfg", Format::r, custom_2, 0},
    {"nmp_wait", Format::r, custom_3, 0},
    {"nmp_post", Format::r, custom_3, 1},
    {"nmp_sync", Format::r, custom_3, 2},
}};

const Code& code_of(Operation operation) {
  return codes[static_cast<std::size_t>(operation)];
}

constexpr int register_count = 32;

/// A computation's operation and funct7, and how text tells it from others of the operation.
struct ComputationCode {
  std::string_view variant;
  Operation operation;
  std::uint8_t funct7 = 0;
};
constexpr std::array<ComputationCode, computations> computation_codes{{
    {"", Operation::conv2d},
    {"", Operation::percept},
    {"max", Operation::pool, 0},
    {"average", Operation::pool, 1},
    {"inside", Operation::pool, 2},
    {"nearest", Operation::pool, 3},
    {"add", Operation::veop, 0},
    {"subtract", Operation::veop, 1},
    {"multiply", Operation::veop, 2},
    {"maximum", Operation::veop, 3},
    {"minimum", Operation::veop, 4},
    {"add-spread", Operation::veop, 8},
    {"subtract-spread", Operation::veop, 9},
    {"multiply-spread", Operation::veop, 10},
    {"maximum-spread", Operation::veop, 11},
    {"minimum-spread", Operation::veop, 12},
    {"slope-spread", Operation::veop, 13},
    {"copy", Operation::activation, 0},
    {"slope", Operation::activation, 1},
    {"affine", Operation::activation, 2},
    {"gate", Operation::activation, 3},
    {"table", Operation::activation, 4},
}};

const ComputationCode* computation_code(const Instruction& instruction) {
  for (const ComputationCode& code : computation_codes)
    if (code.operation == instruction.operation && code.funct7 == instruction.funct7) return &code;
  return nullptr;
}

/// A signed number of so many bits.
bool fits_signed(std::int32_t value, int bits) {
  return value >= -(1 << (bits - 1)) && value < 1 << (bits - 1);
}

bool immediate_fits(Format format, std::int32_t immediate) {
  switch (format) {
    case Format::i:
    case Format::s:
      return fits_signed(immediate, 12);
    case Format::shift:
      return immediate >= 0 && immediate < 32;
    case Format::b:
      return fits_signed(immediate, 13) && immediate % 4 == 0;
    case Format::u:
      return (static_cast<std::uint32_t>(immediate) & 0xfffU) == 0;
    case Format::j:
      return fits_signed(immediate, 21) && immediate % 4 == 0;
    case Format::r:
    case Format::none:
      return immediate == 0;
  }
  return false;
}

/// Which of rd, rs1, rs2 a format has.
struct Registers {
  bool rd, rs1, rs2;
};
Registers registers_of(Operation operation) {
  switch (operation) {
    case Operation::cfg:
    case Operation::fetch:
      return {false, true, true};
    case Operation::wait:
      return {true, true, false};
    case Operation::sync:
      return {false, false, false};
    case Operation::pool:
    case Operation::activation:
      return {true, false, true};
    default:
      break;
  }
  switch (format_of(operation)) {
    case Format::r:
      return {true, true, true};
    case Format::i:
    case Format::shift:
      return {true, true, false};
    case Format::s:
    case Format::b:
      return {false, true, true};
    case Format::u:
    case Format::j:
      return {true, false, false};
    case Format::none:
      break;
  }
  return {false, false, false};
}

/// Whether a custom word's rd is a semaphore, and its funct7 means something.
bool custom_fits(const Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::load:
    case Operation::load_3d:
      return instruction.rd < semaphores && (instruction.funct7 & 0x07) == 0 && instruction.funct7 < 128;
    case Operation::fetch:
      return (instruction.funct7 & 0x4f) == 0 && instruction.funct7 < 128;
    case Operation::store:
    case Operation::store_3d:
      return instruction.rd < semaphores && (instruction.funct7 & 0x4f) == 0 && instruction.funct7 < 128;
    case Operation::conv2d:
    case Operation::pool:
    case Operation::veop:
    case Operation::activation:
    case Operation::percept:
      return instruction.rd < semaphores && computation_code(instruction) != nullptr;
    case Operation::wait:
      return instruction.rd < semaphores && instruction.funct7 == 0;
    case Operation::post:
      return instruction.rd < semaphores &&
             (posts_to_tles(instruction) ? instruction.funct7 == 1 : instruction.rs2 == 0);
    case Operation::cfg:
      return instruction.funct7 < 32;
    default:
      return instruction.funct7 == 0;
  }
}

constexpr std::uint32_t part(std::uint32_t value, int first, int count) {
  return value >> first & ((1U << count) - 1U);
}

// The manual scatters the bits of jumps and branches, so that most of them stand where other formats have theirs.
std::uint32_t immediate_bits(Format format, std::int32_t immediate) {
  const auto v = static_cast<std::uint32_t>(immediate);
  switch (format) {
    case Format::i:
      return part(v, 0, 12) << 20;
    case Format::shift:
      return part(v, 0, 5) << 20;
    case Format::s:
      return part(v, 0, 5) << 7 | part(v, 5, 7) << 25;
    case Format::b:
      return part(v, 11, 1) << 7 | part(v, 1, 4) << 8 | part(v, 5, 6) << 25 | part(v, 12, 1) << 31;
    case Format::u:
      return v;
    case Format::j:
      return part(v, 12, 8) << 12 | part(v, 11, 1) << 20 | part(v, 1, 10) << 21 | part(v, 20, 1) << 31;
    case Format::r:
    case Format::none:
      break;
  }
  return 0;
}

std::int32_t extended(std::uint32_t value, int bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  return static_cast<std::int32_t>((value ^ sign) - sign);
}

std::int32_t immediate_of(Format format, std::uint32_t w) {
  switch (format) {
    case Format::i:
      return extended(part(w, 20, 12), 12);
    case Format::shift:
      return static_cast<std::int32_t>(part(w, 20, 5));
    case Format::s:
      return extended(part(w, 7, 5) | part(w, 25, 7) << 5, 12);
    case Format::b:
      return extended(part(w, 8, 4) << 1 | part(w, 25, 6) << 5 | part(w, 7, 1) << 11 | part(w, 31, 1) << 12, 13);
    case Format::u:
      return static_cast<std::int32_t>(w & 0xfffff000U);
    case Format::j:
      return extended(part(w, 21, 10) << 1 | part(w, 20, 1) << 11 | part(w, 12, 8) << 12 | part(w, 31, 1) << 20, 21);
    case Format::r:
    case Format::none:
      break;
  }
  return 0;
}

/// Whether funct3 and funct7 are an operation's own; where funct7 has fields of its own it is any.
bool is_coded(const Code& code, Operation operation, std::uint32_t word) {
  if (code.opcode != part(word, 0, 7)) return false;
  if (code.format == Format::u || code.format == Format::j) return true;
  if (code.funct3 != part(word, 12, 3)) return false;
  const bool fixed = (code.format == Format::r && !is_custom(operation)) || code.format == Format::shift;
  return !fixed || code.funct7 == part(word, 25, 7);
}

}  // namespace

std::string_view name_of(Operation operation) {
  return code_of(operation).name;
}

Format format_of(Operation operation) {
  return code_of(operation).format;
}

bool in_range(const Instruction& instruction) {
  if (static_cast<int>(instruction.operation) >= operation_count) return false;
  const Registers has = registers_of(instruction.operation);
  const auto fits = [](int number, bool there) { return number < (there ? register_count : 1); };
  return fits(instruction.rd, has.rd) && fits(instruction.rs1, has.rs1) && fits(instruction.rs2, has.rs2) &&
         immediate_fits(format_of(instruction.operation), instruction.immediate) && custom_fits(instruction);
}

EncodedInstruction encode(const Instruction& instruction) {
  assert(in_range(instruction));
  const Code& code = code_of(instruction.operation);
  const std::uint32_t funct7 = is_custom(instruction.operation) ? instruction.funct7 : code.funct7;
  return std::uint32_t{code.opcode} | std::uint32_t{instruction.rd} << 7 | std::uint32_t{code.funct3} << 12 |
         std::uint32_t{instruction.rs1} << 15 | std::uint32_t{instruction.rs2} << 20 | funct7 << 25 |
         immediate_bits(code.format, instruction.immediate);
}

std::optional<Instruction> decode(EncodedInstruction word) {
  for (int i = 0; i < operation_count; ++i) {
    const auto operation = static_cast<Operation>(i);
    const Code& code = code_of(operation);
    if (!is_coded(code, operation, word)) continue;
    const Registers has = registers_of(operation);
    Instruction instruction;
    instruction.operation = operation;
    if (has.rd) instruction.rd = static_cast<std::uint8_t>(part(word, 7, 5));
    if (has.rs1) instruction.rs1 = static_cast<std::uint8_t>(part(word, 15, 5));
    if (has.rs2) instruction.rs2 = static_cast<std::uint8_t>(part(word, 20, 5));
    if (is_custom(operation)) instruction.funct7 = static_cast<std::uint8_t>(part(word, 25, 7));
    instruction.immediate = immediate_of(code.format, word);
    // Bits that the form hasn't must be 0, or another machine might make something of them.
    if (!in_range(instruction) || encode(instruction) != word) return std::nullopt;
    return instruction;
  }
  return std::nullopt;
}

Computation computation_of(const Instruction& instruction) {
  const ComputationCode* const code = computation_code(instruction);
  assert(code);
  return static_cast<Computation>(code - computation_codes.data());
}

Instruction instruction_of(Computation computation) {
  const ComputationCode& code = computation_codes[static_cast<std::size_t>(computation)];
  return {.operation = code.operation, .funct7 = code.funct7};
}

std::string_view variant_of(Computation computation) {
  return computation_codes[static_cast<std::size_t>(computation)].variant;
}

std::string_view name_of(Memory memory) {
  static constexpr std::array<std::string_view, memories> names{"data RAM", "MB0", "MB1", "MB2"};
  return names[static_cast<std::size_t>(memory)];
}

std::optional<LocalAddress> local_address(std::uint32_t value) {
  if (value >> 28 >= memories) return std::nullopt;
  return LocalAddress{static_cast<Memory>(value >> 28), value & 0x0fffffffU};
}

}  // namespace convscope::nmp
