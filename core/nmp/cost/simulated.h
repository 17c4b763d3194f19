#pragma once
// The transfers of a tiling on the DRAM that is simulated cycle by cycle (core/dram/simulate): what the cost levels
// are measured against.

#include <limits>
#include <stop_token>

#include "core/dram/simulate/simulate.h"
#include "core/nmp/cost/transfers.h"

namespace convscope::nmp {

/// The transfers that are looked at: from a step on, so many lines in all.
struct TransferStretch {
  std::int64_t first_step = 0, most_lines = std::numeric_limits<std::int64_t>::max();
};

/// Transfers of a tiling one after the other: loads of a transfer are asked when those of the one before have arrived.
/// Commands of the TLTs cost nothing here. Throws Cancelled.
dram::Simulation simulate_transfers(const CostModel& model, const Tiling& tiling, const TransferStretch& stretch,
                                    const dram::SimulationOptions& options, const std::stop_token& stop);

/// Seconds that all transfers take there.
double simulated_seconds(const CostModel& model, const Tiling& tiling, const std::stop_token& stop);

}  // namespace convscope::nmp
