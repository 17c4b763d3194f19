#include "core/nmp/solution.h"

#include <algorithm>
#include <cmath>

#include "core/base/key.h"
#include "core/nmp/cost/banked.h"
#include "core/nmp/cost/floors.h"
#include "core/nmp/cost/free_running.h"
#include "core/nmp/search/contenders.h"

namespace convscope::nmp {
namespace {

// What tilings depend on beside bandwidth and banks.
KeyBuilder key_without_bandwidth(const Convolution& c, const Machine& m, const SearchOptions& o) {
  KeyBuilder key;
  key.add(c.key()).add(m.tles).add(m.tlts).add(m.input_bytes).add(m.weight_bytes).add(m.output_bytes);
  key.add(m.element_bytes).add(m.partial_sum_bytes).add(m.macs_per_cycle).add(m.mac_efficiency).add(m.clock_hz);
  key.add(m.burst_bytes).add(m.cas_seconds).add(m.command_seconds).add(m.borders).add(m.double_buffering);
  key.add(m.shared_bytes).add(o.level);
  key.add(o.partition ? static_cast<int>(*o.partition) : -1).add(o.schedule ? static_cast<int>(*o.schedule) : -1);
  return key;
}

std::string key_of(const Convolution& c, const Machine& m, const SearchOptions& o) {
  KeyBuilder key = key_without_bandwidth(c, m, o);
  key.add(m.bandwidth).add(m.free_running);
  // Levels that don't look at banks are not searched again when these change.
  const DramTimings& d = m.dram;
  if (o.level == CostLevel::banked)
    for (const double value :
         {d.clock_hz, d.line_bytes + 0.0, d.row_bytes + 0.0, d.banks + 0.0, d.short_gap, d.long_gap, d.row_to_column,
          d.column, d.row_cycle, d.four_activates, d.refresh, d.refresh_interval, d.ranks + 0.0, d.window + 0.0})
      key.add(value);
  return key.take();
}

/// The tilings of which one is the best at a bandwidth, with what they hold.
struct Contenders {
  std::vector<Candidate> tilings;
  std::vector<Occupancy> occupancies;  ///< of each
  std::string reason;                  ///< why there are none
};

Contenders find(const Convolution& c, const Machine& m, const SearchOptions& options, const BandwidthRange& range,
                const std::stop_token& stop) {
  const CostModel model(c, m, stop);
  Contenders found;
  found.tilings = contenders(model, options, range, stop);
  for (const Candidate& candidate : found.tilings) found.occupancies.push_back(model.occupancy(candidate.tiling));
  if (!found.tilings.empty()) return found;
  found.reason = no_tiling(model);
  if (found.reason.empty()) found.reason = "no tiling of the chosen strategy fits the memories";
  return found;
}

/// The range of fixed ones that holds a bandwidth, so that no answer depends on what was asked for before.
BandwidthRange range_around(double bandwidth) {
  constexpr int octaves = 4;
  const int octave = std::ilogb(bandwidth / 1e9);
  const int first = octave - (octave % octaves + octaves) % octaves;
  return {std::ldexp(1e9, first), std::ldexp(1e9, first + octaves)};
}

/// Tilings for the machine's bandwidth; where they can be, for those around it, once for all of them.
std::shared_ptr<const Contenders> find(const Convolution& c, const Machine& m, const SearchOptions& options,
                                       target::PassCache& cache, const std::stop_token& stop) {
  const auto within = [&](const BandwidthRange& range) {
    return std::make_shared<const Contenders>(find(c, m, options, range, stop));
  };
  if (m.double_buffering || options.level == CostLevel::banked) return within({m.bandwidth, m.bandwidth});
  const BandwidthRange range = range_around(m.bandwidth);
  return cache.get<Contenders>("nmp.contenders", key_without_bandwidth(c, m, options).add(range.low).take(),
                               [&] { return within(range); });
}

Solution search(const Convolution& c, const Machine& m, const SearchOptions& options, target::PassCache& cache,
                const std::stop_token& stop) {
  const auto found = find(c, m, options, cache, stop);
  const std::vector<Candidate>& tilings = found->tilings;
  Solution solution;
  solution.floor_seconds = floor_seconds(c, m, options.level);
  solution.reason = found->reason;
  if (tilings.empty()) return solution;
  const bool banked = options.level == CostLevel::banked;
  const Candidate best = banked ? tilings.front() : *best_of(tilings, m, options.level);
  const auto place = std::find_if(tilings.begin(), tilings.end(),
                                  [&](const Candidate& candidate) { return candidate.tiling == best.tiling; });
  solution.tiling = best.tiling;
  solution.totals = best.totals;
  solution.occupancy = found->occupancies[static_cast<std::size_t>(place - tilings.begin())];
  solution.seconds = banked || m.free_running
                         ? shown_seconds(CostModel(c, m, stop), best.tiling, best.totals, options.level)
                         : seconds_of(best.totals, m);
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
  return cache.get<Solution>(
      "nmp.search", key_of(convolution, machine, options), [&]() -> std::shared_ptr<const Solution> {
        return std::make_shared<const Solution>(search(convolution, machine, options, cache, stop));
      });
}

}  // namespace convscope::nmp
