#pragma once
// The mnemonics, and an instruction line's operands. Private to core/snowflake/architecture.

#include <optional>
#include <string>
#include <string_view>

#include "core/snowflake/architecture/assembly_lexer.h"
#include "core/snowflake/architecture/instruction.h"

namespace convscope::snowflake {

/// One spelling of an opcode with its mode and write-back. `operands` has a letter for each operand:
///   d, 1, 2 registers rd, rs1, rs2; s optional "<< 0 to 31"; i a signed immediate; n words of a trace;
///   v VMOV's selector; t a branch's target; b a word of the other bank; l unit, target, CU and vMAC of an LD
struct Mnemonic {
  std::string_view name;
  Opcode opcode;
  bool mode;
  bool write_back;
  std::string_view operands;
};

const Mnemonic* find_mnemonic(std::string_view name);
const Mnemonic& mnemonic_of(const Instruction& instruction);

/// A parsed instruction; `label` is where its branch goes if it was written as one.
struct ParsedInstruction {
  EncodedInstruction word = 0;
  std::string label;
};

/// Reads mnemonic and operands, or ".word". Complaints stay in the cursor. Ranges are checked.
ParsedInstruction parse_instruction(TokenCursor& cursor);

}  // namespace convscope::snowflake
