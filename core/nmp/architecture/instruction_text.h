#pragma once
// An instruction line and its operands. Private to core/nmp/architecture.

#include <string>
#include <string_view>

#include "core/nmp/architecture/instruction.h"

namespace convscope::nmp {

/// A parsed instruction; `label` is where its branch or jump goes if it was written as one.
struct ParsedInstruction {
  EncodedInstruction word = 0;
  std::string label;
};

/// Reads mnemonic and operands, ".word" or GNU's ".insn r". What is wrong is said in `error`; else that is empty.
ParsedInstruction parse_instruction(std::string_view line, std::string& error);

}  // namespace convscope::nmp
