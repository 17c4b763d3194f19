#pragma once
// TLEs that wait for the DRAM but not for one another, unless a ring hands them what they share: an event simulation of
// one tiling.

#include <cstdint>
#include <functional>
#include <stop_token>

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// Seconds by part of one turn of a TLE: its loads of a step, its MACs, or its stores; or what it loads for others,
/// too.
struct Turn {
  int tle = 0;
  std::int64_t step = 0;  ///< as the tile plan numbers them, of the first group
  double begin = 0;
  double residual = 0, partial_sums = 0, input = 0, weights = 0;  ///< loads, in this order
  double mac = 0, output = 0;
  double commands = 0;  ///< what the loads' or the stores' commands cost the TLE before; `begin` is after it
  double ring_begin = 0, ring = 0;  ///< around the ring, after these loads
};
using TurnVisitor = std::function<void(const Turn&)>;

/// Turns that are simulated at most; the ratio of a longer run is that of its beginning.
inline constexpr std::int64_t turn_budget = 100'000;

/// Time of the tiling with free-running TLEs / its time in lockstep, in (0, 1]. Model:
///   a TLE loads what a step needs, computes, stores what it completed, and goes on to its next step;
///   the loads of a step are one turn at the DRAM, its stores another; turns are served one at a time in the order in
///   which they were asked for, lower TLEs first; nothing else makes a TLE wait;
///   the cost of commands is the TLE's own: it passes before the TLE asks, and the DRAM serves others meanwhile;
///   with a ring, what TLEs share is loaded in turns of its own, by the first of them, when all of them have done the
///   step before, and reaches all of them at the end of its way around the ring, which carries one turn's at a time.
/// While DRAM and ring rest, every TLE that is not done computes or gives commands, or waits for one that is in an
/// earlier step and does; so the time is at most lockstep's, and at least that of all transfers. DRAM times (not
/// commands) are multiplied by `dram_scale`. Groups run one after the other, alike. Throws Cancelled.
double free_running_ratio(const CostModel& model, const Tiling& tiling, double dram_scale, const std::stop_token& stop,
                          const TurnVisitor& visit = {});

}  // namespace convscope::nmp
