#pragma once
// The DRAM time of a tiling by the window walk over its transfers (core/dram/forms/walk.h).

#include <stop_token>

#include "core/nmp/cost/transfers.h"

namespace convscope::nmp {

/// Lines that are walked over at most, but for a last block: a layer takes well below a millisecond.
inline constexpr std::int64_t walked_lines = 6000;

/// Seconds that all transfers take, commands not included. Beyond `most_lines` lines blocks of steps are taken from all
/// over the layer, and what a byte of each kind took in them stands for the rest; so do, with full tiles, true boxes
/// for charged ones. At least the bytes at the DRAM's peak. An approximation; throws Cancelled.
double walked_seconds(const CostModel& model, const Tiling& tiling, const Totals& totals, const std::stop_token& stop,
                      std::int64_t most_lines = walked_lines);

}  // namespace convscope::nmp
