#pragma once
// What every resource did and when, for pictures: an observer of the simulator whose memory is bounded.

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake {

enum class TimelineLane : std::uint8_t { control, compute_units, unit_0, unit_1, unit_2, unit_3, store };
inline constexpr std::size_t timeline_lanes = 7;

enum class Activity : std::uint8_t {
  // control
  issue,
  wait_raw,
  wait_queue,
  wait_load_unit,
  wait_bank,
  // compute units: what they ran, or why they waited
  multiply,
  maximum,
  move,
  stall_data,
  stall_bookkeeping,
  stall_bank,
  stall_load_unit,
  stall_store,
  stall_gather,
  // load units and store port
  load_maps,
  load_kernels,
  load_instructions,
  store_outputs
};

/// A stretch of one resource. When a lane has too many, neighbours are joined: then `activity` and `instruction` are
/// those that took the most cycles of it, and `busy` < end - begin.
struct TimelineInterval {
  double begin = 0, end = 0;  ///< cycles
  double busy = 0;            ///< cycles of intervals in it
  double main = 0;            ///< cycles of `activity`'s longest interval
  Activity activity = Activity::issue;
  std::int32_t instruction = 0;  ///< position in Program::code
};

struct LayerTimeline {
  std::array<std::vector<TimelineInterval>, timeline_lanes> lanes;  ///< each in order of time
  const std::vector<TimelineInterval>& lane(TimelineLane lane) const { return lanes[static_cast<std::size_t>(lane)]; }
};

struct RunTimeline {
  std::vector<LayerTimeline> layers;  ///< as Program::layers; what belongs to a layer's instructions
};

/// Timing alone, recorded; a lane of a layer gets at most `most_intervals` (at least 2).
SimulationResult simulate(const Program& program, RunTimeline& timeline, std::size_t most_intervals = 4096,
                          const SimulationOptions& options = {}, const std::stop_token& stop = {});

}  // namespace convscope::snowflake
