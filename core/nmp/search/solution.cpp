#include "core/nmp/search/solution.h"

#include <algorithm>
#include <cmath>

#include "core/nmp/cost/banked.h"
#include "core/nmp/cost/floors.h"
#include "core/nmp/cost/free_running.h"
#include "core/nmp/cost/walked.h"
#include "core/nmp/search/contenders.h"

namespace convscope::nmp {
namespace {

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

// Tilings within a range don't depend on how fast the machine itself moves data.
Contenders find_within(const target::PassRun& run, const Convolution& c, const TilingMachine& tiling, const Ring& ring,
                       const BandwidthRange& range, CostLevel level, std::optional<Partition> partition,
                       std::optional<Schedule> schedule) {
  return find(c, Machine{tiling, {.bandwidth = range.low, .free_running = false, .dram = {}, .ring = ring}},
              {level, partition, schedule}, range, run.stop);
}

constexpr target::Pass contenders_within{"nmp.contenders", find_within};

/// Tilings for the machine's bandwidth; where they can be, for those around it, once for all of them.
std::shared_ptr<const Contenders> find(const target::PassRun& run, const Convolution& c, const Machine& m,
                                       const SearchOptions& o) {
  if (m.double_buffering || m.doubled.any() || by_banks(o.level))
    return std::make_shared<const Contenders>(find(c, m, o, {m.bandwidth, m.bandwidth}, run.stop));
  return contenders_within(run, c, m, m.ring, range_around(m.bandwidth), o.level, o.partition, o.schedule).pointer();
}

/// The best tiling on a machine that leaves nothing to choose.
Solution solve_one(const target::PassRun& run, const Convolution& c, const Machine& m, CostLevel level,
                   std::optional<Partition> partition, std::optional<Schedule> schedule) {
  const auto found = find(run, c, m, {searched_by(level), partition, schedule});
  const std::vector<Candidate>& tilings = found->tilings;
  Solution solution;
  solution.floor_seconds = floor_seconds(c, m, level);
  solution.reason = found->reason;
  if (tilings.empty()) return solution;
  const bool banked = by_banks(level);
  const Candidate best = banked ? tilings.front() : *best_of(tilings, m, level);
  const auto place = std::find_if(tilings.begin(), tilings.end(),
                                  [&](const Candidate& candidate) { return candidate.tiling == best.tiling; });
  solution.tiling = best.tiling;
  solution.totals = best.totals;
  solution.occupancy = found->occupancies[static_cast<std::size_t>(place - tilings.begin())];
  solution.seconds = banked || m.free_running
                         ? shown_seconds(CostModel(c, m, run.stop), best.tiling, best.totals, level, run.stop)
                         : seconds_of(best.totals, m);
  return solution;
}

Seconds seconds_at(const target::PassRun& run, const Convolution& c, const Machine& m, const Solution& solution,
                   CostLevel level) {
  return shown_seconds(CostModel(c, with_doubled(m, solution.doubled), run.stop), solution.tiling, solution.totals,
                       level, run.stop);
}

/// The best of all sets of memories to double; of equally good ones the first, so that doubling nothing wins a tie.
Solution solve_doubled(const target::PassRun& run, const Convolution& c, const Machine& m, CostLevel level,
                       std::optional<Partition> partition, std::optional<Schedule> schedule) {
  constexpr double gain = 1 - 1e-9;
  const Solution none = solve_one(run, c, m, searched_by(level), partition, schedule);
  Solution best = none;
  for (int set = 1; set < 8 && none.reason.empty(); ++set) {
    const Doubled doubled{(set & 1) != 0, (set & 2) != 0, (set & 4) != 0};
    Solution other = solve_one(run, c, with_doubled(m, doubled), searched_by(level), partition, schedule);
    if (!other.reason.empty() || other.seconds.total() >= gain * best.seconds.total()) continue;
    best = std::move(other);
    best.doubled = doubled;
  }
  if (level != CostLevel::walk || !none.reason.empty()) return best;
  best.seconds = seconds_at(run, c, m, best, level);
  Solution single = none;
  single.seconds = seconds_at(run, c, m, none, level);
  return single.seconds.total() < best.seconds.total() ? single : best;
}

Solution search(const target::PassRun& run, const Convolution& c, const TilingMachine& tiling,
                const TransferMachine& transfers, CostLevel level, std::optional<Partition> partition,
                std::optional<Schedule> schedule) {
  Machine m{tiling, transfers};
  if (!m.choose_doubled) return solve_one(run, c, m, level, partition, schedule);
  m.choose_doubled = false;
  return solve_doubled(run, c, m, level, partition, schedule);
}

constexpr target::Pass solution_of{"nmp.search", search};

}  // namespace

Seconds shown_seconds(const CostModel& model, const Tiling& tiling, const Totals& totals, CostLevel level,
                      const std::stop_token& stop) {
  const Machine& m = model.machine();
  Seconds seconds = seconds_of(totals, m);
  const double counted = seconds.dram();
  if (by_banks(level)) {
    // Banks leave no CAS latency of their own: what exceeds the bytes at the data bus's peak is latency.
    const double all =
        level == CostLevel::walk ? walked_seconds(model, tiling, totals, stop) : banked_seconds(model, tiling);
    seconds.transfer = std::min(all, static_cast<double>(totals.all().bytes) / dram_peak(m, level));
    seconds.latency = all - seconds.transfer;
    seconds.hidden = m.doubled.any() ? hidden_by_doubled(totals, m, seconds.mac, counted > 0 ? all / counted : 1)
                                     : hidden_seconds(m, seconds.mac, seconds.moves(all));
  }
  if (m.free_running && !m.double_buffering)
    seconds.hidden =
        seconds.total() * (1 - free_running_ratio(model, tiling, counted > 0 ? seconds.dram() / counted : 1, stop));
  return seconds;
}

std::shared_ptr<const Solution> solve(const Convolution& convolution, const Machine& machine,
                                      const SearchOptions& options, target::PassCache& cache,
                                      const std::stop_token& stop) {
  // Levels that don't look at banks are not searched again when these change.
  TransferMachine transfers = machine;
  if (!by_banks(options.level)) transfers.dram = {};
  return solution_of({cache, stop}, convolution, machine, transfers, options.level, options.partition, options.schedule)
      .pointer();
}

}  // namespace convscope::nmp
