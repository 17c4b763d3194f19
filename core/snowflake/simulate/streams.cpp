#include "core/snowflake/simulate/streams.h"

#include <algorithm>
#include <cmath>

namespace convscope::snowflake::simulation {
namespace {

Work work_per_tick(double bytes_per_second, double clock_hz) {
  return std::max<Work>(1, std::llround(bytes_per_second / clock_hz / static_cast<double>(ticks_per_cycle) *
                                        static_cast<double>(work_per_byte)));
}

}  // namespace

Streams::Streams(const Machine& machine)
    : byte_work_(std::llround(static_cast<double>(work_per_byte) / machine.efficiency)),
      load_cost_(machine.load_cost_bytes * work_per_byte) {
  const Work all = work_per_tick(machine.bandwidth, machine.clock_hz);
  const Work cap = work_per_tick(machine.unit_bandwidth, machine.clock_hz);
  for (std::size_t streams = 1; streams < most; ++streams)
    rates_[streams] = std::max<Work>(1, std::min(cap, all / static_cast<Work>(streams)));
}

}  // namespace convscope::snowflake::simulation
