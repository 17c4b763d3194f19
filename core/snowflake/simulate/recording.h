#pragma once
// What every resource did and when, for pictures: an observer of the simulator whose memory is bounded.

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/snowflake/simulate/simulator.h"

namespace convscope::snowflake {

enum class Resource : std::uint8_t {
  control,
  compute_units,
  load_unit_0,
  load_unit_1,
  load_unit_2,
  load_unit_3,
  store
};
inline constexpr std::size_t resources = 7;

enum class Activity : std::uint8_t {
  // control pipeline: issues, or why it didn't
  issue,
  wait_raw,
  wait_queue,
  wait_load_unit,
  wait_bank,
  // compute units: what they ran, or why they had nothing to do (VectorStall)
  mac,
  max,
  vmov,
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
inline constexpr std::size_t activities = 18;

/// A stretch of one resource. Neighbours of the same activity, layer and tile are one. When a resource has too many,
/// neighbours that together are shorter than a resolution are joined, too, and those of one kind across gaps up to it;
/// then activity, instruction, layer and tile are those of the longest part, and `busy` may be less than the length.
struct RecordedInterval {
  double begin = 0, length = 0;  ///< cycles; streams and stores end between cycles
  double busy = 0;               ///< cycles of its parts
  double longest = 0;            ///< cycles of its longest part
  Activity activity = Activity::issue;
  std::int32_t instruction = 0;  ///< position in Program::code, of the first of the longest part
  std::int32_t layer = 0, tile = 0;

  double end() const { return begin + length; }
};

struct Recording {
  SimulationResult result;
  std::array<std::vector<RecordedInterval>, resources> intervals;  ///< by Resource, each in order of time
  std::array<double, resources> resolution{};                      ///< cycles; 0: nothing but neighbours was joined

  const std::vector<RecordedInterval>& of(Resource resource) const {
    return intervals[static_cast<std::size_t>(resource)];
  }
};

/// Timing alone, recorded; each resource gets at most `most_intervals` (at least 2). Throws Cancelled.
Recording record(const Program& program, std::size_t most_intervals = 1 << 14, const SimulationOptions& options = {},
                 const std::stop_token& stop = {});

}  // namespace convscope::snowflake
