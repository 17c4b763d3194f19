#pragma once
// What a loop's operation on registers says in an instruction, whatever the form of the loop.

#include "core/nve/architecture/instruction.h"
#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// False if the operation is none on registers: reads, writes and activations, which each form addresses its own way.
bool issue_on_registers(const LoopOperation& operation, Instruction& instruction);

}  // namespace convscope::nve
