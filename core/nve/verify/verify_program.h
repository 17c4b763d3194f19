#pragma once
// Static checks of a program, one function a rule; shares no code with the passes that produce programs and includes
// only architecture headers. What gets lost on its way is the simulator's to refuse.

#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/nve/architecture/instruction.h"
#include "core/nve/architecture/program.h"

namespace convscope::nve {

/// All rules. True if there was no error.
bool verify_program(const Program& program, Diagnostics& diagnostics);

/// What the rules look at. The program must outlive it.
struct DecodedProgram {
  explicit DecodedProgram(const Program& program);

  const Program& program;
  std::vector<Instruction> instructions;            ///< by address; empty ones where a word doesn't decode
  std::vector<std::pair<int, std::string>> errors;  ///< addresses of words that don't decode, and why
};

/// Instruction words decode; sizes of sections add up; the program fits the instruction buffer.
void verify_shape(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// No field that the machine lacks; reads and writes only where the port can.
void verify_fields(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// `set rw` and `set ri` (and `setsh` without a port B) never take port A in one instruction.
void verify_port_conflicts(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// Every address, over all iterations, lies in the local buffer; inc and toggle give a closed ring; words of one bank
/// are read by that bank's port.
void verify_addresses(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// Number of writes and ACTs in each section equals its traffic's; positions of traffic are in range.
void verify_traffic(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// Every set finds, in the unrolled program (prologue and a few repetitions), a word read at least read_to_set cycles
/// before and not yet replaced; every read finds a word written at least write_to_read cycles before. Says nothing
/// about programs whose words, fields, addresses, traffic or coefficients are wrong.
void verify_timing(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// Every result is the sum of its map's bias and of each of its weights once, each times the pixels of the input, rows
/// and column that it is for: coefficients and pixels are followed through the registers of the same walk. Says nothing
/// where verify_timing would complain, or has nothing to say.
void verify_sums(const DecodedProgram& decoded, Diagnostics& diagnostics);
/// Each coefficient of each map has exactly one place.
void verify_coefficients(const DecodedProgram& decoded, Diagnostics& diagnostics);

}  // namespace convscope::nve
