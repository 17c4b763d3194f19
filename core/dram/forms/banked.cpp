#include "core/dram/forms/banked.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace convscope::dram {
namespace {

/// Blocks of `block` bytes that `bytes` touch, on average over all starts that are multiples of `grain`.
double blocks_touched(std::int64_t bytes, std::int64_t block, std::int64_t grain) {
  return static_cast<double>((bytes - 1) / grain * grain) / static_cast<double>(block) + 1;
}

/// A stretch of a pattern that opens rows one after another: its bytes lie `stride` bytes from the next stretch's, of
/// which there are `count`; these repeat `outer_count` times, `outer_stride` bytes apart.
struct Visits {
  double lines = 0;        ///< of all
  double rows = 0;         ///< that are opened
  std::int64_t inner = 1;  ///< rows that follow one another, `stride` apart, before the next map
  std::int64_t stride = 0, outer_stride = 0;
};

/// Lines or rows of runs that lie `pitch` apart: runs closer than a block share it.
double blocks_of(std::int64_t runs, std::int64_t bytes, std::int64_t pitch, std::int64_t block) {
  if (runs == 1) return blocks_touched(bytes, block, std::gcd(pitch, block));
  const std::int64_t grain = std::gcd(pitch, block), span = (runs - 1) * pitch + bytes;
  return std::min(static_cast<double>(runs) * blocks_touched(bytes, block, grain), blocks_touched(span, block, grain));
}

Visits visits_of(const Pattern& pattern, const Organization& o) {
  Pattern p = pattern;
  if (p.runs == 1 && p.maps > 1) {  // maps of one run each are runs
    p.runs = p.maps;
    p.pitch = p.map_pitch;
    p.maps = 1;
  }
  if (p.pitch < p.bytes) p.pitch = p.bytes;
  const std::int64_t span = (p.runs - 1) * p.pitch + p.bytes;
  if (p.map_pitch < span) p.map_pitch = span;
  Visits v;
  const auto maps = static_cast<double>(p.maps);
  const std::int64_t all = (p.maps - 1) * p.map_pitch + span;
  const std::int64_t grain = std::gcd(p.map_pitch, std::int64_t{o.row_bytes});
  v.lines = std::min(maps * blocks_of(p.runs, p.bytes, p.pitch, o.line_bytes()),
                     blocks_touched(all, o.line_bytes(), std::gcd(p.map_pitch, std::int64_t{o.line_bytes()})));
  const double rows = blocks_of(p.runs, p.bytes, p.pitch, o.row_bytes);
  v.rows = p.maps == 1 ? rows : std::min(maps * rows, blocks_touched(all, o.row_bytes, grain));
  v.inner = std::max<std::int64_t>(1, std::llround(rows));
  v.stride = std::max<std::int64_t>(o.row_bytes, p.pitch);
  if (p.bytes > o.row_bytes) v.stride = o.row_bytes;
  v.outer_stride = p.maps == 1 ? v.stride * v.inner : std::max(p.map_pitch, std::int64_t{o.row_bytes});
  return v;
}

/// Lines among which a controller chooses.
double window_of(const Controller& c) {
  const int taken = c.queue + c.bank_queue;
  return c.in_flight > 0 ? std::min(c.in_flight, taken) : taken;
}

/// How the rows within reach of the controller lie over banks, bank groups and ranks: part of them in the fullest.
struct Reach {
  double visits = 1, bank = 1, group = 1, rank = 1;
};

/// Counts rows by where they lie.
template <std::size_t size>
class Spread {
 public:
  void add(std::size_t place) {
    if (counts_[place]++ == 0) places_[used_++] = static_cast<std::uint16_t>(place);
    fullest_ = std::max(fullest_, counts_[place]);
  }
  /// Part of `all` in the fullest; where they lie evenly, one more or less is by chance of where the window ends.
  double fullest(int all) const {
    int least = fullest_;
    for (std::size_t i = 0; i < used_; ++i) least = std::min<int>(least, counts_[places_[i]]);
    return fullest_ - least <= 1 ? 1.0 / static_cast<double>(used_) : static_cast<double>(fullest_) / all;
  }

  int most() const { return fullest_; }

 private:
  std::array<std::uint8_t, size> counts_{};
  std::array<std::uint16_t, 40> places_;  // of which `used_` are
  std::size_t used_ = 0;
  std::uint8_t fullest_ = 0;
};

constexpr int horizon = 40;  // rows that are looked at

/// Where row `i` of those that are opened one after another lies.
Place place_of(const Visits& v, const AddressMap& map, std::uint64_t start, int i) {
  return map.place(start + static_cast<std::uint64_t>(i % v.inner) * static_cast<std::uint64_t>(v.stride) +
                   static_cast<std::uint64_t>(i / v.inner) * static_cast<std::uint64_t>(v.outer_stride));
}

// The controller sees a window of lines, the rows of which lie over the banks as the address mapping has it. Where no
// bank comes twice in it, how soon it comes again matters.
Reach reach_of(const Visits& v, const Parameters& p, const AddressMap& map, std::uint64_t start) {
  const double rows = std::min(std::round(v.rows), static_cast<double>(horizon));
  const double seen = std::clamp(std::round(window_of(p.controller) * v.rows / v.lines), 1.0, std::max(1.0, rows));
  const int count = static_cast<int>(seen);
  Spread<2048> banks;
  Spread<256> groups;
  Spread<16> ranks;
  int i = 0;
  const auto bank_of = [](const Place& place) { return static_cast<std::size_t>(place.rank * 128 + place.bank); };
  for (; i < count; ++i) {
    const Place place = place_of(v, map, start, i);
    banks.add(bank_of(place));
    groups.add(static_cast<std::size_t>(place.rank * 16 + place.group));
    ranks.add(static_cast<std::size_t>(place.rank));
  }
  if (banks.most() == 1)
    for (; i < static_cast<int>(rows); ++i) banks.add(bank_of(place_of(v, map, start, i)));
  return {seen, banks.fullest(i), groups.fullest(count), ranks.fullest(count)};
}

}  // namespace

// A window of rows takes the longest of: its lines at tCCD_S; the lines of the fullest bank group at tCCD_L; the rows
// of the fullest bank, one after another; the rows of the fullest rank at tFAW / 4 and at tRRD_S. A row that is longer
// than the window leaves the next one in sight only at its end. Loads wait for the last line; the refreshes go on top.
double banked_cycles(const Pattern& pattern, const Parameters& p, const AddressMap& map) {
  if (pattern.empty()) return 0;
  const Timings& t = p.timings;
  const Organization& o = p.organization;
  const double burst = o.burst_cycles();
  const double same = std::max<double>(burst, t.tCCD_L), other = std::max<double>(burst, t.tCCD_S);
  const Visits v = visits_of(pattern, o);
  const Reach reach = reach_of(v, p, map, pattern.start);
  const double lines = v.lines / v.rows, window = window_of(p.controller);

  const double ahead = std::max(0.0, window - (t.tRCD + t.CL) / same);
  const double in_group = v.rows < 1.5 ? lines * same : std::max(lines * other, (lines - ahead) * same);
  const double bus = reach.visits > 1.5 ? std::max(lines * other, lines * same * reach.group) : in_group;
  const double close = pattern.write ? t.CWL + burst + t.tWR : t.tRTP;
  const double bank_cycle = std::max<double>(t.tRC, t.tRCD + (lines - 1) * same + close + t.tRP);
  const double in_bank = v.rows < 1.5 ? 0 : reach.bank * bank_cycle;
  const double activate = reach.rank * std::max(t.tFAW / 4.0, static_cast<double>(t.tRRD_S));
  const double wait =
      p.controller.in_flight > 0 && !pattern.write ? lines * (t.CL + burst) / p.controller.in_flight : 0;
  const double row = std::max({bus, in_bank, v.rows < 1.5 ? 0 : activate, wait});
  const double answer = pattern.write ? 0 : t.tRP + t.tRCD + t.CL + burst;
  return (v.rows * row / o.channels + answer) / (1 - static_cast<double>(t.tRFC) / t.tREFI);
}

double banked_cycles(const Pattern& pattern, const Parameters& parameters) {
  return banked_cycles(pattern, parameters, AddressMap(parameters.organization));
}

}  // namespace convscope::dram
