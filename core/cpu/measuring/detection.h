#pragma once
// The parameters of this computer: vector instructions, caches, and measured speeds.

#include "core/cpu/architecture/machine.h"
#include "core/cpu/run/host.h"

namespace convscope::cpu {

/// What a host with these speeds is; what is not known keeps its default. The clock is the one at which two FMAs of a
/// unit's width a cycle give the measured rate, as neither can be read.
Machine machine_of(const Host& host, const Calibration& calibration);

}  // namespace convscope::cpu
