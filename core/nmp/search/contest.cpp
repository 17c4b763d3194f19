#include "core/nmp/search/contest.h"

#include <algorithm>
#include <cassert>

#include "core/nmp/cost/floors.h"

namespace convscope::nmp {
namespace {

// Sums of doubles that are equal in theory differ in the last bits.
constexpr double slack = 1e-12;

}  // namespace

Contest::Contest(const Machine& m, CostLevel level, const BandwidthRange& range)
    : overlaps_(m.double_buffering),
      doubled_(level == CostLevel::volume ? Doubled{} : m.doubled),
      any_doubled_(doubled_.any()),
      banked_(level == CostLevel::banked),
      ring_(m.ring.on && level != CostLevel::volume),
      mac_(1 / (m.clock_hz * m.mac_efficiency)),
      byte_low_(1 / range.low),
      byte_high_(1 / range.high),
      burst_(level == CostLevel::burst ? m.cas_seconds : 0),
      command_(level == CostLevel::volume ? 0 : m.command_seconds) {
  assert(range.low == range.high || (!overlaps_ && !doubled_.any() && level != CostLevel::banked));
  if (level == CostLevel::banked) byte_low_ = byte_high_ = 1 / dram_peak(m, level);
  if (!ring_) return;
  ring_byte_ = m.ring.seconds(1, 0, m.clock_hz);
  ring_hop_ = m.ring.seconds(0, 1, m.clock_hz);
}

// What doubled memories can hide at most.
Prices Contest::price_of_doubled(const Totals& totals, double mac, double moved) const {
  Traffic hidden;
  if (doubled_.input) hidden += totals.in;
  if (doubled_.weights) hidden += totals.weights;
  if (doubled_.output)
    for (const Traffic* t : {&totals.out, &totals.partial_loads, &totals.partial_stores, &totals.residual})
      hidden += *t;
  const double most = static_cast<double>(hidden.bytes) * byte_low_ + static_cast<double>(hidden.bursts) * burst_ +
                      static_cast<double>(hidden.commands) * command_ +
                      (doubled_.input ? ring_seconds(totals.ring_in) : 0) +
                      (doubled_.weights ? ring_seconds(totals.ring_weights) : 0);
  // By banks, bytes take longer than at the peak, and more of them may be hidden.
  const double price = banked_ ? std::max(mac, moved) : mac + moved - std::min(mac, most);
  return {price, price};
}

Prices Contest::prices(const Totals& totals) const {
  const Traffic all = totals.all();
  const double mac = static_cast<double>(totals.mac_cycles) * mac_, bytes = static_cast<double>(all.bytes);
  double rest = static_cast<double>(all.bursts) * burst_ + static_cast<double>(all.commands) * command_;
  if (ring_) rest += ring_seconds(totals.ring());
  if (any_doubled_) return price_of_doubled(totals, mac, rest + bytes * byte_low_);
  if (overlaps_) return {std::max(mac, bytes * byte_low_ + rest), std::max(mac, bytes * byte_high_ + rest)};
  return {mac + rest + bytes * byte_low_, mac + rest + bytes * byte_high_};
}

bool Contest::beaten(const Prices& prices) const {
  const Prices least{prices.low * (1 - slack), prices.high * (1 - slack)};
  // Of the steps that are cheaper at the low end the last one is the cheapest at the high end.
  const auto after =
      std::partition_point(steps_.begin(), steps_.end(), [&](const Prices& step) { return step.low < least.low; });
  return after != steps_.begin() && std::prev(after)->high < least.high;
}

bool Contest::tie(const Prices& prices, const Prices& with) {
  return prices.low <= with.low * (1 + slack) && prices.high <= with.high * (1 + slack);
}

void Contest::add(const Prices& prices) {
  const auto place =
      std::partition_point(steps_.begin(), steps_.end(), [&](const Prices& step) { return step.low < prices.low; });
  if (place != steps_.begin() && std::prev(place)->high <= prices.high) return;
  if (place != steps_.end() && place->low == prices.low && place->high <= prices.high) return;
  const auto end =
      std::partition_point(place, steps_.end(), [&](const Prices& step) { return step.high >= prices.high; });
  steps_.insert(steps_.erase(place, end), prices);
}

bool Contest::equal(const Totals& a, const Totals& b) const {
  const Traffic s = a.all(), t = b.all();
  return (mac_ == 0 || a.mac_cycles == b.mac_cycles) && s.bytes == t.bytes && (burst_ == 0 || s.bursts == t.bursts) &&
         (command_ == 0 || s.commands == t.commands) && (!ring_ || a.ring() == b.ring());
}

}  // namespace convscope::nmp
