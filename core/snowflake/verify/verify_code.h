#pragma once
// Rules that look at the code alone, and the decoded code that the others run. Private to the verifier.

#include <vector>

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/verify/verify_report.h"

namespace convscope::snowflake::verification {

/// A decoded instruction with what running it asks for again and again.
struct Operation : Instruction {
  VectorField vector;   ///< MAC, MAX
  LoadField load;       ///< LD
  bool branch = false;  ///< BLE, BGT, BEQ other than the halt
  bool halt = false;
};

/// Where an instruction is neither legal nor complete, there is a report and a halt stands for it.
std::vector<Operation> decode_all(const Program& program, Report& report);

/// Blocks fit a bank, lie in instruction regions, and neither in each other's code nor DRAM.
void check_blocks(const Program& program, Report& report);
/// Branches stay in their block with their delay slots, which hold no branch, nor more than one pair of an instruction
/// and one that reads its result ("Compiling …", section 4), nor, behind a jump, loads of instructions.
void check_branches(const Program& program, const std::vector<Operation>& code, Report& report);

}  // namespace convscope::snowflake::verification
