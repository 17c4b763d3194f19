#pragma once
// What no tiling can go below, in closed form.

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// Bytes if every input that any output needs, every weight and every output is moved once.
std::int64_t bytes_once(const Convolution& convolution, const Machine& machine);

/// Bytes per second of the DRAM while it does nothing but transfer.
double dram_peak(const Machine& machine, CostLevel level);

/// Cycles of the busiest TLT under the partition that spreads the work best, at full efficiency. Holds for both border
/// models: tiles only add rounding.
std::int64_t least_mac_cycles(const CostModel& model);

/// All MACs at the peak that is reached and everything moved once, one after the other or, if they overlap, the larger.
double floor_seconds(const Convolution& convolution, const Machine& machine, CostLevel level);

}  // namespace convscope::nmp
