#pragma once
// Static checks of a program, one function a rule; shares no code with the passes that produce programs and includes
// only architecture headers. What depends on data in flight over many iterations is the simulator's to refuse.

#include "core/base/diagnostic.h"
#include "core/nve/architecture/program.h"

namespace convscope::nve {

/// All rules. True if there was no error.
bool verify_program(const Program& program, Diagnostics& diagnostics);

/// Instruction words decode; sizes of sections add up; the program fits the instruction buffer.
void verify_shape(const Program& program, Diagnostics& diagnostics);
/// No field that the machine lacks; reads and writes only where the port can.
void verify_fields(const Program& program, Diagnostics& diagnostics);
/// `set rw` and `set ri` (and `setsh` without a port B) never take port A in one instruction.
void verify_port_conflicts(const Program& program, Diagnostics& diagnostics);
/// Every address, over all iterations, lies in the local buffer; inc and toggle give a closed ring; words of one bank
/// are read by that bank's port.
void verify_addresses(const Program& program, Diagnostics& diagnostics);
/// Number of writes and ACTs in each section equals its traffic's; positions of traffic are in range.
void verify_traffic(const Program& program, Diagnostics& diagnostics);
/// Every set finds, in the unrolled program (prologue and a few repetitions), a word read at least read_to_set cycles
/// before and not yet replaced; every read finds a word written at least write_to_read cycles before.
void verify_timing(const Program& program, Diagnostics& diagnostics);
/// Each coefficient of each map has exactly one place.
void verify_coefficients(const Program& program, Diagnostics& diagnostics);

}  // namespace convscope::nve
