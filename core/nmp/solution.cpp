#include "core/nmp/solution.h"

#include <algorithm>

#include "core/base/key.h"
#include "core/nmp/cost/banked.h"

namespace convscope::nmp {
namespace {

std::string key_of(const Convolution& c, const Machine& m, const SearchOptions& o) {
  KeyBuilder key;
  key.add(c.key()).add(m.tles).add(m.tlts).add(m.input_bytes).add(m.weight_bytes).add(m.output_bytes);
  key.add(m.element_bytes).add(m.partial_sum_bytes).add(m.macs_per_cycle).add(m.mac_efficiency).add(m.clock_hz);
  key.add(m.bandwidth)
      .add(m.burst_bytes)
      .add(m.cas_seconds)
      .add(m.command_seconds)
      .add(m.borders)
      .add(m.double_buffering)
      .add(o.level);
  key.add(o.partition ? static_cast<int>(*o.partition) : -1).add(o.schedule ? static_cast<int>(*o.schedule) : -1);
  // Levels that don't look at banks are not searched again when these change.
  const DramTimings& d = m.dram;
  if (o.level == CostLevel::banked)
    for (const double value :
         {d.clock_hz, d.line_bytes + 0.0, d.row_bytes + 0.0, d.banks + 0.0, d.short_gap, d.long_gap, d.row_to_column,
          d.column, d.row_cycle, d.four_activates, d.refresh, d.refresh_interval, d.ranks + 0.0, d.window + 0.0})
      key.add(value);
  return key.take();
}

/// Input positions of an axis that any output needs.
std::int64_t needed(const Axis& axis) {
  return std::min(axis.needs(0, axis.out), axis.out * axis.kernel);
}

double dram_peak(const Machine& m, CostLevel level) {
  return level == CostLevel::banked ? m.dram.line_bytes * m.dram.clock_hz / m.dram.short_gap : m.bandwidth;
}

double floor_of(const Convolution& c, const Machine& m, CostLevel level) {
  const std::int64_t maps = std::int64_t{c.units} * c.maps_per_unit;
  const std::int64_t in = needed(c.rows) * needed(c.columns) * (c.depthwise ? c.units : c.channels);
  const std::int64_t moved = in + maps * c.channels * c.taps() + maps * c.rows.out * c.columns.out;
  const double mac = static_cast<double>(c.macs()) / m.reached_peak();
  const double transfer = static_cast<double>(moved * c.repeats * m.element_bytes) / dram_peak(m, level);
  return mac + transfer - hidden_seconds(m, mac, transfer);
}

Solution search(const Convolution& c, const Machine& m, const SearchOptions& options, const std::stop_token& stop) {
  const CostModel model(c, m);
  Solution solution;
  solution.floor_seconds = floor_of(c, m, options.level);
  const auto best = best_tiling(model, options, stop);
  if (!best) {
    solution.reason = no_tiling(model);
    if (solution.reason.empty()) solution.reason = "no tiling of the chosen strategy fits the memories";
    return solution;
  }
  solution.tiling = best->tiling;
  solution.totals = best->totals;
  solution.occupancy = model.occupancy(best->tiling);
  solution.seconds = shown_seconds(model, best->tiling, best->totals, options.level);
  return solution;
}

}  // namespace

Seconds shown_seconds(const CostModel& model, const Tiling& tiling, const Totals& totals, CostLevel level) {
  Seconds seconds = seconds_of(totals, model.machine());
  if (level != CostLevel::banked) return seconds;
  // Banks leave no CAS latency of their own: what exceeds the bytes at the data bus's peak is latency.
  const double all = banked_seconds(model, tiling);
  seconds.transfer = std::min(all, static_cast<double>(totals.all().bytes) / dram_peak(model.machine(), level));
  seconds.latency = all - seconds.transfer;
  seconds.hidden = hidden_seconds(model.machine(), seconds.mac, all + seconds.commands);
  return seconds;
}

std::shared_ptr<const Solution> solve(const Convolution& convolution, const Machine& machine,
                                      const SearchOptions& options, target::PassCache& cache,
                                      const std::stop_token& stop) {
  return cache.get<Solution>("nmp.search", key_of(convolution, machine, options),
                             [&]() -> std::shared_ptr<const Solution> {
                               return std::make_shared<const Solution>(search(convolution, machine, options, stop));
                             });
}

}  // namespace convscope::nmp
