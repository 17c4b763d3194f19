#include "core/snowflake/architecture/assembly_instructions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/snowflake/architecture/assembly.h"
#include "core/snowflake/architecture/machine.h"

namespace convscope::snowflake {
namespace {

constexpr std::array<Mnemonic, 22> mnemonics{{
    {"mov", Opcode::mov, false, false, "d1s"},       {"movi", Opcode::movi, false, false, "di"},
    {"add", Opcode::add, false, false, "d12"},       {"addi", Opcode::addi, false, false, "d1i"},
    {"mul", Opcode::mul, false, false, "d12"},       {"muli", Opcode::muli, false, false, "d1i"},
    {"mac.coop", Opcode::mac, false, false, "d12n"}, {"mac.coop.wb", Opcode::mac, false, true, "d12n"},
    {"mac.indp", Opcode::mac, true, false, "d12n"},  {"mac.indp.wb", Opcode::mac, true, true, "d12n"},
    {"max", Opcode::max, false, false, "d1n"},       {"max.wb", Opcode::max, false, true, "d1n"},
    {"vmov.bias", Opcode::vmov, false, false, "1v"}, {"vmov.bypass", Opcode::vmov, true, false, "1v"},
    {"ble", Opcode::ble, false, false, "12t"},       {"ble.bank", Opcode::ble, true, false, "12b"},
    {"bgt", Opcode::bgt, false, false, "12t"},       {"bgt.bank", Opcode::bgt, true, false, "12b"},
    {"beq", Opcode::beq, false, false, "12t"},       {"beq.bank", Opcode::beq, true, false, "12b"},
    {"ld", Opcode::ld, false, false, "d12l"},        {"ld.all", Opcode::ld, true, false, "d12l"},
}};

constexpr std::array<std::string_view, 3> target_names{"maps", "kernels", "instructions"};
constexpr EncodedInstruction nop_word = 0;            ///< MOV r0, r0
constexpr EncodedInstruction halt_word = 0xB0000000;  ///< BEQ r0, r0, to itself
constexpr int longest_trace = 2048, highest_immediate = 4095;
constexpr std::int64_t highest_offset = 2047, lowest_offset = -2048;

bool is_vector(Opcode opcode) {
  return opcode == Opcode::mac || opcode == Opcode::max;
}

std::string operand_text(const Instruction& instruction, char operand, const std::string& label) {
  switch (operand) {
    case 'd':
      return fmt::format("r{}", instruction.rd);
    case '1':
      return fmt::format("r{}", instruction.rs1);
    case '2':
      return fmt::format("r{}", instruction.rs2);
    case 'n':
      return fmt::format("{}", vector_field(instruction.immediate).length);
    case 't':
      return label.empty() ? fmt::format("{:+}", instruction.immediate) : label;
    case 'l': {
      const LoadField field = *load_field(instruction.immediate);
      return fmt::format("{}, {}, {}, {}", field.unit, target_names[static_cast<std::size_t>(field.target)], field.cu,
                         field.vmac);
    }
    default:
      return fmt::format("{}", instruction.immediate);
  }
}

class OperandParser {
 public:
  OperandParser(TokenCursor& cursor, Instruction& instruction, std::string& label)
      : cursor_(cursor), instruction_(instruction), label_(label) {}

  void operand(char kind, bool write_back) {
    switch (kind) {
      case 'd':
        instruction_.rd = register_number();
        break;
      case '1':
        instruction_.rs1 = register_number();
        break;
      case '2':
        instruction_.rs2 = register_number();
        break;
      case 's':
        instruction_.rs2 = static_cast<std::uint8_t>(cursor_.number("shift", 0, registers - 1));
        break;
      case 'i':
        signed_immediate();
        break;
      case 'n':
        instruction_.immediate =
            immediate_of(VectorField{write_back, std::max(1, whole("trace length", 1, longest_trace))});
        break;
      case 'v':
        instruction_.immediate = whole("selector", 0, highest_immediate);
        break;
      case 't':
        target();
        break;
      case 'b':
        instruction_.immediate = whole("word of the other bank", lowest_offset, highest_offset);
        break;
      default:
        load();
    }
  }

 private:
  int whole(const char* what, std::int64_t lowest, std::int64_t highest) {
    return static_cast<int>(cursor_.number(what, lowest, highest));
  }

  std::uint8_t register_number() {
    const std::string spelling = cursor_.word("a register");
    const auto number = parse_integer<int>(std::string_view(spelling).substr(spelling.empty() ? 0 : 1));
    if (spelling.empty()) return 0;
    if (spelling[0] == 'r' && spelling.size() <= 3 && number && *number >= 0 && *number < registers)
      return static_cast<std::uint8_t>(*number);
    cursor_.refuse(fmt::format("{} instead of a register r0 to r{}", convscope::quoted(spelling), registers - 1));
    return 0;
  }

  void signed_immediate() {
    const int bits = instruction_.opcode == Opcode::movi ? 23 : 17;
    const std::int64_t limit = std::int64_t{1} << (bits - 1);
    instruction_.immediate = whole("immediate", -limit, limit - 1);
  }

  void target() {
    const Token* const token = cursor_.peek();
    if (token && token->kind == Token::Kind::word)
      label_ = cursor_.word("a label");
    else
      instruction_.immediate = whole("a label, or an offset", lowest_offset, highest_offset);
  }

  void load() {
    LoadField field;
    field.unit = whole("unit", 0, 3);
    cursor_.expect(",");
    const std::string target = cursor_.word("maps, kernels or instructions");
    const auto found = std::find(target_names.begin(), target_names.end(), target);
    if (found == target_names.end())
      return cursor_.refuse(convscope::quoted(target) + " instead of maps, kernels or instructions");
    field.target = static_cast<LoadTarget>(found - target_names.begin());
    cursor_.expect(",");
    field.cu = whole("CU", 0, 15);
    cursor_.expect(",");
    field.vmac = whole("vMAC", 0, 15);
    instruction_.immediate = immediate_of(field);
  }

  TokenCursor& cursor_;
  Instruction& instruction_;
  std::string& label_;
};

}  // namespace

const Mnemonic* find_mnemonic(std::string_view name) {
  const auto found =
      std::find_if(mnemonics.begin(), mnemonics.end(), [&](const Mnemonic& mnemonic) { return mnemonic.name == name; });
  return found == mnemonics.end() ? nullptr : &*found;
}

const Mnemonic& mnemonic_of(const Instruction& instruction) {
  const bool write_back = is_vector(instruction.opcode) && vector_field(instruction.immediate).write_back;
  const auto found = std::find_if(mnemonics.begin(), mnemonics.end(), [&](const Mnemonic& mnemonic) {
    return mnemonic.opcode == instruction.opcode && mnemonic.mode == instruction.mode &&
           mnemonic.write_back == write_back;
  });
  assert(found != mnemonics.end());
  return *found;
}

std::string instruction_text(EncodedInstruction word, const std::string& label) {
  if (word == nop_word) return "nop";
  if (word == halt_word) return "halt";
  const auto instruction = decode(word);
  const bool says_all = instruction && encode(*instruction) == word &&
                        (instruction->opcode != Opcode::ld || load_field(instruction->immediate));
  if (!says_all) return fmt::format(".word 0x{:08x}", word);
  const Mnemonic& mnemonic = mnemonic_of(*instruction);
  std::string text(mnemonic.name);
  for (std::size_t i = 0; i < mnemonic.operands.size(); ++i) {
    const char operand = mnemonic.operands[i];
    if (operand == 's') {
      if (instruction->rs2 != 0) text += fmt::format(" << {}", instruction->rs2);
    } else {
      text += (i == 0 ? " " : ", ") + operand_text(*instruction, operand, label);
    }
  }
  return text;
}

ParsedInstruction parse_instruction(TokenCursor& cursor) {
  ParsedInstruction parsed;
  const std::string name = cursor.word("a mnemonic");
  if (name == "nop") return {nop_word, {}};
  if (name == "halt") return {halt_word, {}};
  if (name == ".word")
    return {static_cast<EncodedInstruction>(cursor.number("word", 0, std::numeric_limits<std::uint32_t>::max())), {}};
  const Mnemonic* const mnemonic = find_mnemonic(name);
  if (!mnemonic) {
    cursor.refuse(fmt::format("unknown mnemonic {}", convscope::quoted(name)));
    return parsed;
  }
  Instruction instruction{mnemonic->opcode, mnemonic->mode, 0, 0, 0, 0};
  OperandParser parser(cursor, instruction, parsed.label);
  for (std::size_t i = 0; i < mnemonic->operands.size() && cursor.error().empty(); ++i) {
    const char operand = mnemonic->operands[i];
    if (operand == 's' && !cursor.accept("<<")) continue;
    if (operand != 's' && i > 0) cursor.expect(",");
    parser.operand(operand, mnemonic->write_back);
  }
  if (cursor.error().empty()) parsed.word = encode(instruction);
  return parsed;
}

}  // namespace convscope::snowflake
