#include "oracle.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace convscope::nmp {
namespace {

int up(int a, int b) {
  return (a + b - 1) / b;
}

struct Span {
  int begin = 0, size = 0;
};

/// Tiles of a range: true sizes, or all of the same size.
std::vector<Span> cut(Span whole, int size, bool exact) {
  std::vector<Span> tiles;
  for (int at = 0; at < whole.size; at += size)
    tiles.push_back({whole.begin + at, exact ? std::min(size, whole.size - at) : size});
  return tiles;
}

class Walk {
 public:
  Walk(const Convolution& c, const Machine& m, const Tiling& t)
      : c_(c), m_(m), t_(t), exact_(m.borders == Borders::exact) {}

  OracleCost run() {
    const TleGrid grid = tle_grid(t_.partition, m_.tles);
    const int slice = up(c_.units, grid.filters), slice_rows = up(c_.rows.out, grid.rows);
    most_units_ = up(slice, m_.tlts);
    cost_.fits = forced_ || (t_.partition == Partition::channels ? fits_with_sums() : fits());
    if (!cost_.fits) return cost_;
    if (t_.partition == Partition::channels) {
      share_channels();
      return cost_;
    }
    if (m_.ring.on) find_sharers(grid, slice, slice_rows);
    for (int f = 0; f < grid.filters; ++f)
      for (int r = 0; r < grid.rows; ++r) {
        Span rows{r * slice_rows, slice_rows}, units{f * slice, slice};
        if (exact_) {
          rows.size = std::min(rows.size, c_.rows.out - rows.begin);
          units.size = std::min(units.size, c_.units - units.begin);
        }
        // A shared buffer: tiles that fit are fetched for the first TLE with these rows or filters, which has most.
        // Around a ring all are.
        count_inputs_ = f == 0 || c_.depthwise || (!m_.ring.on && input_bytes_ > m_.shared_bytes);
        count_weights_ = r == 0 || (!m_.ring.on && weight_tile_bytes() > m_.shared_bytes);
        if (rows.size > 0 && units.size > 0) tle(rows, units.size);
      }
    cost_.mac_cycles = *std::max_element(mac_.begin(), mac_.end());
    for (std::int64_t* figure :
         {&cost_.bytes, &cost_.bursts, &cost_.commands, &cost_.mac_cycles, &cost_.ring_bytes, &cost_.ring_hops})
      *figure *= c_.repeats;
    return cost_;
  }

 private:
  /// How far a tile goes: from the first TLE that needs it to the last one, which lie on the ring row after row.
  void find_sharers(const TleGrid& grid, int slice, int slice_rows) {
    for (int f = 0; f < grid.filters; ++f)
      if (!c_.depthwise && (!exact_ || f * slice < c_.units)) input_hops_ = f;
    for (int r = 0; r < grid.rows; ++r)
      if (!exact_ || r * slice_rows < c_.rows.out) weight_hops_ = r * grid.filters;
  }

  void travel(std::int64_t bytes_before, int hops) {
    if (hops == 0) return;
    cost_.ring_bytes += cost_.bytes - bytes_before;
    cost_.ring_hops += hops;
  }

  int input(const Axis& a, Span out) const {
    const int begin = std::max(0, out.begin * a.stride - a.padding);
    const int last = (out.begin + out.size - 1) * a.stride - a.padding + (a.kernel - 1) * a.dilation;
    if (exact_) return std::max(0, std::min(a.in - 1, last) - begin + 1);
    const int everything = std::min(a.in, (a.out - 1) * a.stride - a.padding + (a.kernel - 1) * a.dilation + 1);
    return out.size >= a.out ? everything
                             : std::min(everything, (out.size - 1) * a.stride + (a.kernel - 1) * a.dilation + 1);
  }

  bool stationary_weights() const { return t_.schedule == Schedule::weight_stationary; }
  bool whole_weights_fit() const { return most_units_ * filter_bytes() <= m_.weight_bytes; }
  std::int64_t filter_bytes() const { return std::int64_t{c_.channels} * weights_each() * m_.element_bytes; }

  /// Elements of W for a unit and one of its channels: none of a pool, an operand's as many as there are outputs.
  int weights_each() const {
    if (c_.operation == Operator::pool) return 0;
    const int map = c_.operation == Operator::pairs ? c_.rows.out * c_.columns.out : c_.taps();
    return map * c_.maps_per_unit;
  }

  /// Channels of a stationary filter that fit, in equal parts.
  int chunk() const {
    if (!stationary_weights() || weights_each() == 0) return c_.channels;
    const auto fit =
        static_cast<int>(std::min<std::int64_t>(c_.channels, m_.weight_bytes / (weights_each() * m_.element_bytes)));
    return fit == 0 ? 0 : up(c_.channels, up(c_.channels, fit));
  }

  std::int64_t weight_tile_bytes() const {
    std::int64_t channels = t_.channels;
    if (stationary_weights()) channels = chunk();
    if (t_.schedule == Schedule::input_stationary && whole_weights_fit()) channels = c_.channels;
    return t_.units * channels * weights_each() * m_.element_bytes;
  }

  bool fits() {
    const bool is = t_.schedule == Schedule::input_stationary;
    if (t_.channels > chunk()) return false;
    int high = 0, wide = 0;
    const TleGrid grid = tle_grid(t_.partition, m_.tles);
    const int slice_rows = up(c_.rows.out, grid.rows);
    for (int r = 0; r < grid.rows; ++r) {
      const Span rows{r * slice_rows, exact_ ? std::min(slice_rows, c_.rows.out - r * slice_rows) : slice_rows};
      for (const Span& tile : cut(rows, t_.rows, exact_)) high = std::max(high, input(c_.rows, tile));
    }
    for (const Span& tile : cut({0, c_.columns.out}, t_.columns, exact_))
      wide = std::max(wide, input(c_.columns, tile));
    const std::int64_t maps = c_.depthwise ? t_.units : t_.channels;
    input_bytes_ = maps * high * wide * m_.element_bytes;
    if (input_bytes_ > m_.input_bytes) return false;
    const std::int64_t outputs = is && t_.channels < c_.channels ? most_units_ : t_.units;
    if (outputs * c_.maps_per_unit * t_.rows * t_.columns *
            (t_.channels < c_.channels ? m_.partial_sum_bytes : m_.element_bytes) >
        m_.output_bytes)
      return false;
    if (is && whole_weights_fit()) return true;
    const std::int64_t channels = stationary_weights() ? chunk() : t_.channels;
    return t_.units * channels * weights_each() * m_.element_bytes <= m_.weight_bytes;
  }

  // Partial sums of two TLEs lie side by side.
  bool fits_with_sums() const {
    const int share = up(c_.channels, m_.tles);
    if (t_.channels > share) return false;
    const bool is = t_.schedule == Schedule::input_stationary;
    const bool whole = is && std::int64_t{most_units_} * share * weights_each() * m_.element_bytes <= m_.weight_bytes;
    const int own = is && t_.channels < share ? most_units_ : t_.units;
    int high = 0, wide = 0;
    for (const Span& tile : cut({0, c_.rows.out}, t_.rows, exact_)) high = std::max(high, input(c_.rows, tile));
    for (const Span& tile : cut({0, c_.columns.out}, t_.columns, exact_))
      wide = std::max(wide, input(c_.columns, tile));
    const int held = stationary_weights() ? share : t_.channels;
    return std::int64_t{t_.channels} * high * wide * m_.element_bytes <= m_.input_bytes &&
           (whole || std::int64_t{t_.units} * held * weights_each() * m_.element_bytes <= m_.weight_bytes) &&
           std::int64_t{own + t_.units} * c_.maps_per_unit * t_.rows * t_.columns * m_.partial_sum_bytes <=
               m_.output_bytes;
  }

  void transfer(std::int64_t maps, int rows, int columns, int height, int width, int bytes) {
    std::int64_t runs = maps * rows, length = columns;
    if (columns == width) {
      runs = maps;
      length = std::int64_t{rows} * columns;
      if (rows == height) {
        runs = 1;
        length *= maps;
      }
    }
    ++cost_.commands;
    cost_.bytes += maps * rows * columns * bytes;
    if (rows > 0 && columns > 0) cost_.bursts += runs * ((length * bytes + m_.burst_bytes - 1) / m_.burst_bytes);
  }

  // TLEs with shares of the channels, each a whole convolution of fewer of them; but for the last step, in which all
  // store their sums, one loads them, and adds them up.
  void share_channels() {
    const int share = up(c_.channels, m_.tles);
    std::int64_t busiest = 0;
    int shares = 0;
    for (int first = 0; exact_ ? first < c_.channels : shares < m_.tles; first += share, ++shares) {
      Convolution mine = c_;
      mine.channels = exact_ ? std::min(share, c_.channels - first) : share;
      mine.repeats = 1;
      mine.residual = c_.residual && first == 0;
      Machine alone = m_;
      alone.tles = 1;
      alone.shared_bytes = 0;
      alone.ring = {};
      alone.weight_bytes = alone.input_bytes = alone.output_bytes = 1 << 30;
      // What stays is settled by the largest share.
      const bool whole = t_.schedule == Schedule::input_stationary &&
                         std::int64_t{most_units_} * share * weights_each() * m_.element_bytes <= m_.weight_bytes;
      if (t_.schedule == Schedule::input_stationary && !whole)
        alone.weight_bytes = std::int64_t{most_units_} * mine.channels * weights_each() * m_.element_bytes - 1;
      Tiling t = t_;
      t.partition = Partition::filters;
      t.channels = std::min(t.channels, mine.channels);
      Walk walk(mine, alone, t);
      walk.pitch_channels_ = c_.channels;
      walk.forced_ = true;
      const OracleCost cost = walk.run();
      cost_.bytes += cost.bytes;
      cost_.bursts += cost.bursts;
      cost_.commands += cost.commands;
      busiest = std::max(busiest, cost.mac_cycles);
    }
    // All but one share's outputs were stored as if complete: they are sums, stored and loaded.
    OracleCost outputs = outputs_alone(m_.element_bytes), sums = outputs_alone(m_.partial_sum_bytes);
    cost_.bytes += (shares - 1) * (2 * sums.bytes - outputs.bytes);
    cost_.bursts += (shares - 1) * (2 * sums.bursts - outputs.bursts);
    cost_.commands += (shares - 1) * outputs.commands;
    cost_.mac_cycles = busiest + (shares - 1) * outputs.mac_cycles;
    for (std::int64_t* figure : {&cost_.bytes, &cost_.bursts, &cost_.commands, &cost_.mac_cycles})
      *figure *= c_.repeats;
  }

  /// All outputs once, and the cycles in which the busiest TLT adds one to each.
  OracleCost outputs_alone(int bytes) const {
    Walk walk(c_, m_, t_);
    std::int64_t busiest = 0;
    for (int tlt = 0; tlt < m_.tlts; ++tlt) {
      const int mine = exact_ ? c_.units / m_.tlts + (tlt < c_.units % m_.tlts ? 1 : 0) : most_units_;
      std::int64_t cycles = 0;
      for (const Span& m : cut({0, mine}, t_.units, exact_))
        for (const Span& r : cut({0, c_.rows.out}, t_.rows, exact_))
          for (const Span& c : cut({0, c_.columns.out}, t_.columns, exact_)) {
            walk.outputs(m.size, r, c, bytes);
            cycles += std::int64_t{m.size} * c_.maps_per_unit * up(r.size * c.size, m_.macs_per_cycle);
          }
      busiest = std::max(busiest, cycles);
    }
    OracleCost cost = walk.cost_;
    cost.mac_cycles = busiest;
    return cost;
  }

  // Everything that one TLE does, TLT by TLT; multicast loads are charged to the first TLT, which has the most filters.
  void tle(Span rows, int units) {
    for (int tlt = 0; tlt < m_.tlts; ++tlt) {
      const int mine = exact_ ? units / m_.tlts + (tlt < units % m_.tlts ? 1 : 0) : most_units_;
      mac_.push_back(0);
      nest(rows, cut({0, mine}, t_.units, exact_), tlt == 0);
    }
  }

  void nest(Span row_slice, const std::vector<Span>& units, bool first) {
    const auto rows = cut(row_slice, t_.rows, exact_), columns = cut({0, c_.columns.out}, t_.columns, exact_);
    Span chunk_left{0, chunk()};
    const auto chunks = cut({0, c_.channels}, chunk_left.size, exact_);
    const bool is = t_.schedule == Schedule::input_stationary;
    if (stationary_weights()) {
      for (const Span& m : units)
        for (std::size_t k = 0; k < chunks.size(); ++k) {
          weights(m.size, chunks[k].size);
          for (const Span& r : rows)
            for (const Span& c : columns) {
              if (k > 0) outputs(m.size, r, c, m_.partial_sum_bytes);
              if (k == 0 && c_.residual) outputs(m.size, r, c, m_.element_bytes);
              for (const Span& n : cut(chunks[k], t_.channels, exact_)) {
                inputs(m.size, n.size, r, c, first);
                compute(m.size, n.size, r, c);
              }
              outputs(m.size, r, c, k + 1 < chunks.size() ? m_.partial_sum_bytes : m_.element_bytes);
            }
        }
      return;
    }
    const auto channels = cut({0, c_.channels}, t_.channels, exact_);
    if (is && whole_weights_fit())
      for (const Span& m : units) weights(m.size, c_.channels);
    for (const Span& r : rows)
      for (const Span& c : columns) {
        for (const Span& n : channels) {
          if (is && !c_.depthwise && !units.empty()) inputs(1, n.size, r, c, first);
          for (const Span& m : units) {
            if (!is || c_.depthwise) inputs(m.size, n.size, r, c, first);
            if (!is || !whole_weights_fit()) weights(m.size, n.size);
            compute(m.size, n.size, r, c);
          }
        }
        for (const Span& m : units)
          for (int i = c_.residual ? 0 : 1; i < 2; ++i) outputs(m.size, r, c, m_.element_bytes);
      }
  }

  void inputs(int units, int channels, Span r, Span c, bool first) {
    if (!count_inputs_ || (!c_.depthwise && !first)) return;
    const std::int64_t before = cost_.bytes;
    transfer(c_.depthwise ? units : channels, input(c_.rows, r), input(c_.columns, c), c_.rows.in, c_.columns.in,
             m_.element_bytes);
    travel(before, input_hops_);
  }

  void weights(int units, int channels) {
    if (!count_weights_ || weights_each() == 0) return;
    const std::int64_t before = cost_.bytes;
    transfer(units, channels, weights_each(), pitch_channels_ > 0 ? pitch_channels_ : c_.channels, weights_each(),
             m_.element_bytes);
    travel(before, weight_hops_);
  }

  void outputs(int units, Span r, Span c, int bytes) {
    transfer(std::int64_t{units} * c_.maps_per_unit, r.size, c.size, c_.rows.out, c_.columns.out, bytes);
  }

  void compute(int units, int channels, Span r, Span c) {
    if (c_.operation == Operator::fully_connected) {
      mac_.back() += std::int64_t{up(channels * c_.taps(), m_.macs_per_cycle)} * units;
      return;
    }
    const std::int64_t steps = (std::int64_t{r.size} * c.size * c_.taps() + m_.macs_per_cycle - 1) / m_.macs_per_cycle;
    mac_.back() += steps * units * c_.maps_per_unit * channels;
  }

  const Convolution& c_;
  const Machine& m_;
  const Tiling& t_;
  bool exact_;
  int most_units_ = 0;
  int pitch_channels_ = 0;  ///< of filters in DRAM, if more than these
  bool forced_ = false;     ///< whatever the memories are
  std::int64_t input_bytes_ = 0;
  bool count_inputs_ = true, count_weights_ = true;
  int input_hops_ = 0, weight_hops_ = 0;  ///< 0: not around the ring
  std::vector<std::int64_t> mac_;
  OracleCost cost_;
};

}  // namespace

double OracleCost::seconds(const Machine& m) const {
  const double mac = static_cast<double>(mac_cycles) / (m.clock_hz * m.mac_efficiency);
  const double rest =
      static_cast<double>(bytes) / m.bandwidth + static_cast<double>(bursts) * m.cas_seconds +
      static_cast<double>(commands) * m.command_seconds +
      (static_cast<double>(ring_bytes) / m.ring.bytes_per_cycle + static_cast<double>(ring_hops * m.ring.hop_cycles)) /
          m.clock_hz;
  return m.double_buffering ? std::max(mac, rest) : mac + rest;
}

double OracleCost::volume_seconds(const Machine& m) const {
  const double mac = static_cast<double>(mac_cycles) / (m.clock_hz * m.mac_efficiency);
  const double transfer = static_cast<double>(bytes) / m.bandwidth;
  return m.double_buffering ? std::max(mac, transfer) : mac + transfer;
}

OracleCost oracle_cost(const Convolution& convolution, const Machine& machine, const Tiling& tiling) {
  return Walk(convolution, machine, tiling).run();
}

OracleBest oracle_best(const Convolution& c, const Machine& m, bool by_volume) {
  OracleBest best{std::numeric_limits<double>::infinity(), 0};
  for (const Partition p : partitions_of(c, m)) {
    const TleGrid grid = tle_grid(p, m.tles);
    const int rows = up(c.rows.out, grid.rows), units = up(up(c.units, grid.filters), m.tlts);
    for (const Schedule q : schedules)
      for (int tr = 1; tr <= rows; ++tr)
        for (int tc = 1; tc <= c.columns.out; ++tc)
          for (int tn = 1; tn <= c.channels; ++tn)
            for (int tm = 1; tm <= units; ++tm) {
              const OracleCost cost = oracle_cost(c, m, {p, q, tr, tc, tn, tm});
              ++best.tilings;
              if (cost.fits)
                best.seconds = std::min(best.seconds, by_volume ? cost.volume_seconds(m) : cost.seconds(m));
            }
  }
  return best;
}

}  // namespace convscope::nmp
