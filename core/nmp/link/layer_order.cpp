#include "core/nmp/link/layer_order.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace convscope::nmp {
namespace {

bool meet(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
  if (a.empty() || b.empty() || a.back().end <= b.front().begin || b.back().end <= a.front().begin) return false;
  auto one = a.begin(), two = b.begin();
  while (one != a.end() && two != b.end()) {
    if (one->begin < two->end && two->begin < one->end) return true;
    if (one->end < two->end)
      ++one;
    else
      ++two;
  }
  return false;
}

bool conflict(const TouchedBytes& a, const TouchedBytes& b) {
  return meet(a.written, b.read) || meet(a.read, b.written) || meet(a.written, b.written);
}

/// Of each TLE, the last layer of each TLE that it knows is over; of itself: that all its TLTs know of.
using Knowledge = std::vector<std::vector<int>>;

void join(std::vector<int>& known, const std::vector<int>& others) {
  for (std::size_t i = 0; i < known.size(); ++i) known[i] = std::max(known[i], others[i]);
}

/// The posts to a semaphore of a TLE that its last wait there took.
struct Taken {
  int wait = -1;  ///< crossing; -1: there was none
  int post = -1;  ///< crossing at which they were posted
  std::vector<std::size_t> from;
};

class Orderer {
 public:
  Orderer(const std::vector<TouchedByTles>& touched, bool by_semaphores, const std::vector<bool>& together)
      : touched_(touched),
        by_semaphores_(by_semaphores),
        together_(together),
        tles_(touched.empty() ? 0 : touched.front().size()),
        known_(tles_, std::vector<int>(tles_, -1)),
        now_(tles_ * crossing_semaphores),
        before_(tles_ * crossing_semaphores) {}

  std::vector<Crossing> run() {
    for (std::size_t layer = 0; layer + 1 < touched_.size(); ++layer)
      crossings_.push_back(cross(static_cast<int>(layer)));
    return std::move(crossings_);
  }

 private:
  /// Which TLEs a TLE waits for.
  struct Waits {
    std::vector<std::size_t> now, before;
  };

  const TouchedBytes& touched(int layer, std::size_t tle) const {
    return touched_[static_cast<std::size_t>(layer)][tle];
  }

  /// The last layer up to this one in which `other` touches what `tle` mustn't meet in the next; known ones aside.
  int last_conflict(int layer, std::size_t tle, std::size_t other, int known) const {
    int last = layer;
    while (last > known && !conflict(touched(layer + 1, tle), touched(last, other))) --last;
    return last > known ? last : -1;
  }

  Crossing cross(int layer) {
    const Knowledge posted = known_at_posts(layer);
    std::vector<Waits> waits(tles_);
    bool some = false, all = true;
    for (std::size_t tle = 0; tle < tles_; ++tle) {
      some |= last_conflict(layer, tle, tle, known_[tle][tle]) >= 0;
      waits[tle] = waits_of(layer, tle, posted);
      some |= !waits[tle].now.empty() || !waits[tle].before.empty();
      all &= waits[tle].now.size() + 1 == tles_;
    }
    Crossing crossing;
    if (!together_.empty() && together_[static_cast<std::size_t>(layer) + 1]) return barrier(layer);
    if (!some) return without_posts(crossing);
    if (!by_semaphores_ || all || !are_told_apart(layer, waits, posted)) return barrier(layer);
    return by_semaphores(layer, waits, posted);
  }

  /// What a post at this crossing tells.
  Knowledge known_at_posts(int layer) const {
    Knowledge posted = known_;
    for (std::size_t tle = 0; tle < tles_; ++tle) posted[tle][tle] = layer;
    return posted;
  }

  // First those whose posts of this crossing are needed: they tell of earlier ones as well.
  Waits waits_of(int layer, std::size_t tle, const Knowledge& posted) const {
    std::vector<int> known = known_[tle], needed(tles_, -1);
    Waits waits;
    for (std::size_t other = 0; other < tles_; ++other) {
      if (other == tle) continue;
      needed[other] = last_conflict(layer, tle, other, known[other]);
      if (needed[other] < layer) continue;
      waits.now.push_back(other);
      join(known, posted[other]);
    }
    for (std::size_t other = 0; other < tles_; ++other) {
      if (needed[other] <= known[other] || needed[other] == layer) continue;
      const bool told = !posted_before_.empty() && may_post(before_, posted_before_, layer - 1, other, tle);
      (told ? waits.before : waits.now).push_back(other);
      join(known, told ? posted_before_[other] : posted[other]);
    }
    return waits;
  }

  std::size_t index(int number, std::size_t tle) const {
    return tle * crossing_semaphores + static_cast<std::size_t>(number % crossing_semaphores);
  }

  /// Whether a post, which tells `posted`, comes after the wait that took the last posts there, or after all of these.
  bool may_post(const std::vector<Taken>& taken, const Knowledge& posted, int at, std::size_t from,
                std::size_t to) const {
    const Taken& last = taken[index(at, to)];
    if (last.wait < 0 || posted[from][to] > last.wait) return true;
    return std::all_of(last.from.begin(), last.from.end(),
                       [&](std::size_t other) { return posted[from][other] >= last.post + (other == from ? 1 : 0); });
  }

  bool are_told_apart(int layer, const std::vector<Waits>& waits, const Knowledge& posted) const {
    for (std::size_t tle = 0; tle < tles_; ++tle)
      for (const std::size_t other : waits[tle].now)
        if (!may_post(now_, posted, layer, other, tle)) return false;
    return true;
  }

  Crossing without_posts(Crossing crossing) {
    posted_before_.clear();
    return crossing;
  }

  Crossing barrier(int layer) {
    for (auto& known : known_) std::fill(known.begin(), known.end(), layer);
    posted_before_.clear();
    return {Crossing::Kind::barrier, {}};
  }

  Crossing by_semaphores(int layer, const std::vector<Waits>& waits, const Knowledge& posted) {
    Crossing crossing{Crossing::Kind::semaphores, std::vector<Crossing::OfTle>(tles_)};
    for (std::size_t tle = 0; tle < tles_; ++tle) {
      const auto bit = std::uint32_t{1} << tle;
      known_[tle][tle] = layer;
      for (const std::size_t other : waits[tle].now) {
        crossing.tles[other].tells_now |= bit;
        join(known_[tle], posted[other]);
      }
      for (const std::size_t other : waits[tle].before) {
        crossings_.back().tles[other].tells_next |= bit;
        join(known_[tle], posted_before_[other]);
      }
      crossing.tles[tle].waits_now = static_cast<int>(waits[tle].now.size());
      crossing.tles[tle].waits_before = static_cast<int>(waits[tle].before.size());
      if (!waits[tle].now.empty()) now_[index(layer, tle)] = {layer, layer, waits[tle].now};
      if (!waits[tle].before.empty()) before_[index(layer - 1, tle)] = {layer, layer - 1, waits[tle].before};
    }
    posted_before_ = posted;
    return crossing;
  }

  const std::vector<TouchedByTles>& touched_;
  bool by_semaphores_;
  const std::vector<bool>& together_;
  std::size_t tles_;
  Knowledge known_, posted_before_;  // behind the last crossing; at its posts, none if it has none
  std::vector<Taken> now_, before_;  // by TLE and semaphore
  std::vector<Crossing> crossings_;
};

}  // namespace

std::vector<Crossing> order_layers(const std::vector<TouchedByTles>& touched, bool by_semaphores,
                                   const std::vector<bool>& together) {
  return Orderer(touched, by_semaphores, together).run();
}

}  // namespace convscope::nmp
