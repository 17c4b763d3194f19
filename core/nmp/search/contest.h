#pragma once
// Which tilings can still be the best for some bandwidth within a range, by their prices at both ends. Prices are
// linear in the time of a byte, so what is dearer at both ends is dearer in between. A range of a single bandwidth is
// one, too.

#include <vector>

#include "core/nmp/search/contenders.h"

namespace convscope::nmp {

/// Seconds at the low and at the high end of the bandwidths.
struct Prices {
  double low = 0, high = 0;
};

class Contest {
 public:
  /// With double buffering prices are not linear, and at level banked bandwidth does not matter: a single bandwidth.
  Contest(const Machine& machine, CostLevel level, const BandwidthRange& range);

  /// What totals cost; at level banked, and with doubled memories, a lower bound of it. Up to rounding.
  Prices prices(const Totals& totals) const;
  /// Whether something known is cheaper at both ends, by more than rounding.
  bool beaten(const Prices& prices) const;
  /// Whether prices exceed others at neither end, by more than rounding.
  static bool tie(const Prices& prices, const Prices& with);
  void add(const Prices& prices);
  /// Whether two totals have the same price at every bandwidth, to the last bit.
  bool equal(const Totals& a, const Totals& b) const;

 private:
  double ring_seconds(const RingTraffic& ring) const {
    return static_cast<double>(ring.bytes) * ring_byte_ + static_cast<double>(ring.hops) * ring_hop_;
  }
  Prices price_of_doubled(const Totals& totals, double mac, double moved) const;

  bool overlaps_;
  Doubled doubled_;
  bool any_doubled_;
  bool banked_, ring_;
  double mac_, byte_low_, byte_high_, burst_, command_, ring_byte_ = 0, ring_hop_ = 0;
  std::vector<Prices> steps_;  // ascending at the low end, so descending at the high end
};

}  // namespace convscope::nmp
