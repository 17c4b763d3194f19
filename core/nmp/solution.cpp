#include "core/nmp/solution.h"

#include <algorithm>

#include "core/base/key.h"
#include "core/nmp/cost/banked.h"
#include "core/nmp/cost/floors.h"
#include "core/nmp/cost/free_running.h"

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
      .add(m.free_running)
      .add(m.shared_bytes)
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

Solution search(const Convolution& c, const Machine& m, const SearchOptions& options, const std::stop_token& stop) {
  const CostModel model(c, m, stop);
  Solution solution;
  solution.floor_seconds = floor_seconds(c, m, options.level);
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
  const Machine& m = model.machine();
  Seconds seconds = seconds_of(totals, m);
  const double counted = seconds.dram();
  if (level == CostLevel::banked) {
    // Banks leave no CAS latency of their own: what exceeds the bytes at the data bus's peak is latency.
    const double all = banked_seconds(model, tiling);
    seconds.transfer = std::min(all, static_cast<double>(totals.all().bytes) / dram_peak(m, level));
    seconds.latency = all - seconds.transfer;
    seconds.hidden = hidden_seconds(m, seconds.mac, all + seconds.commands);
  }
  if (m.free_running && !m.double_buffering)
    seconds.hidden =
        seconds.total() * (1 - free_running_ratio(model, tiling, counted > 0 ? seconds.dram() / counted : 1));
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
