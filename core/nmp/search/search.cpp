#include "core/nmp/search/search.h"

#include <algorithm>

#include "core/nmp/cost/banked.h"
#include "core/nmp/search/searcher.h"

namespace convscope::nmp {
namespace {

// Not the sum less what is hidden: that would round.
double price(const Machine& m, double mac, double rest) {
  return m.double_buffering ? std::max(mac, rest) : mac + rest;
}

double counted_price(const Totals& totals, const Machine& m, CostLevel level) {
  const Seconds s = seconds_of(totals, m);
  if (level == CostLevel::volume) return price(m, s.mac, s.transfer);
  return m.double_buffering ? std::max(s.mac, s.moves()) : s.total();
}

}  // namespace

std::int64_t volume(const Tiling& t) {
  return std::int64_t{t.rows} * t.columns * t.channels * t.units;
}

bool preferred(const Tiling& s, const Tiling& t) {
  if (s.columns != t.columns) return s.columns > t.columns;
  if (volume(s) != volume(t)) return volume(s) > volume(t);
  return s < t;
}

bool better(const Candidate& a, const Candidate& b) {
  return a.price != b.price ? a.price < b.price : preferred(a.tiling, b.tiling);
}

// Where totals are nowhere larger the price isn't either, to the last bit: sums of rounded terms keep their order.
double price_of(const CostModel& model, const Tiling& tiling, const Totals& totals, CostLevel level) {
  const Machine& m = model.machine();
  if (level != CostLevel::banked) return counted_price(totals, m, level);
  const Seconds s = seconds_of(totals, m);
  const double dram = banked_seconds(model, tiling);
  if (!m.doubled.any()) return price(m, s.mac, s.commands + dram + s.ring);
  const double scale = s.dram() > 0 ? dram / s.dram() : 1;
  return s.mac + s.commands + dram + s.ring - hidden_by_doubled(totals, m, s.mac, scale);
}

std::vector<Candidate> contenders(const CostModel& model, const SearchOptions& options, const BandwidthRange& range,
                                  const std::stop_token& stop, SearchEffort* effort) {
  if (model.sums().chunk == 0) return {};
  SearchEffort unasked;
  return Searcher(model, options, range, stop, effort ? *effort : unasked).run();
}

std::optional<Candidate> best_of(const std::vector<Candidate>& contenders, const Machine& machine, CostLevel level) {
  std::optional<Candidate> best;
  for (Candidate candidate : contenders) {
    candidate.price = counted_price(candidate.totals, machine, level);
    if (!best || better(candidate, *best)) best = candidate;
  }
  return best;
}

std::optional<Candidate> best_tiling(const CostModel& model, const SearchOptions& options, const std::stop_token& stop,
                                     SearchEffort* effort) {
  const double bandwidth = model.machine().bandwidth;
  const std::vector<Candidate> found = contenders(model, options, {bandwidth, bandwidth}, stop, effort);
  if (found.empty()) return std::nullopt;
  return found.front();
}

}  // namespace convscope::nmp
