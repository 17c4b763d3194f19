#pragma once
// DRAM with ranks, banks, rows and requests in flight: a closed form of what a cycle-accurate controller does with one
// transfer. Reads and writes cost the same; transfers follow one another without overlap.

#include <cstdint>

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// Equal runs of bytes, `stride` bytes from start to start (0 if there is one).
struct Runs {
  std::int64_t count = 0, bytes = 0, stride = 0;
};

/// Cycles of the DRAM's clock for runs that follow one another: the largest of
///   sum over the rows they touch of max(n tCCD_S, (n - v) tCCD_L), v = window - (tRCD + CL) / tCCD_L;
///   activations x tRC / banks that they reach; activations x tFAW / (4 ranks); lines x (CL + tCCD_S) / window;
/// divided by 1 - tRFC / tREFI.
double banked_cycles(const Runs& runs, const DramTimings& dram);

/// Useful bytes per second of endless such runs.
double banked_bandwidth(const Runs& runs, const DramTimings& dram);

/// Seconds that all transfers of a tiling take, commands not included. Tiles are charged by the machine's border model.
double banked_seconds(const CostModel& model, const Tiling& tiling);

}  // namespace convscope::nmp
