#pragma once
// This host as the estimate sees machines.

#include "core/cpu/architecture/machine.h"
#include "core/cpu/run/host.h"

namespace convscope::cpu {

/// What was measured, and for what can't be (issue width, latency) the usual of processors with these instructions.
/// `family`: of the programs, which tells the registers.
CpuMachine machine_of(const Host& host, const Calibration& calibration, Family family);

}  // namespace convscope::cpu
