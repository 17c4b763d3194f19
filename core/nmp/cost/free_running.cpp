#include "core/nmp/cost/free_running.h"

#include <algorithm>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

/// A tile along one axis of the image.
struct Piece {
  int in = 0, out = 0;
};

/// Filters of one unit step: TLTs come in at most two kinds, those with one filter more than the others.
struct Share {
  int tlts[2] = {0, 0}, size[2] = {0, 0};
};

/// What all TLEs have in common: loop trips and what a tile costs.
class Tiles {
 public:
  Tiles(const CostModel& model, const Tiling& t, double dram_scale)
      : model_(model), c_(model.convolution()), m_(model.machine()), t_(t), scale_(dram_scale) {
    ws_ = t.schedule == Schedule::weight_stationary;
    is_ = t.schedule == Schedule::input_stationary;
    resident_ = is_ && model.weights_resident(t.partition);
    chunk_ = ws_ ? model.sums().chunk : c_.channels;
    chunks = ws_ ? model.sums().chunks : 1;
    const auto& part = model.sums().of(t.partition);
    rows = divide_up(part.slice_rows, t.rows);
    columns = divide_up(c_.columns.out, t.columns);
    units = divide_up(part.tlt_units, t.units);
    channels = divide_up(chunk_, t.channels);
  }

  bool exact() const { return m_.borders == Borders::exact; }
  int clip(int length, int size, std::int64_t i) const {
    return exact() ? static_cast<int>(std::clamp<std::int64_t>(length - i * size, 0, size)) : size;
  }
  Piece piece(const Axis& axis, int begin, int length, int size, std::int64_t i) const {
    const int out = clip(length, size, i);
    if (!exact()) return {axis.full_tile(size), size};
    return {out > 0 ? axis.needs(begin + static_cast<int>(i) * size, out) : 0, out};
  }
  int chunk_channels(std::int64_t chunk) const { return clip(c_.channels, chunk_, chunk); }
  int tile_channels(std::int64_t chunk, std::int64_t i) const { return clip(chunk_channels(chunk), t_.channels, i); }
  /// Channels with which a weight tile is loaded.
  int held_channels(std::int64_t chunk, std::int64_t i) const {
    return resident_ ? c_.channels : ws_ ? chunk_channels(chunk) : tile_channels(chunk, i);
  }
  std::int64_t steps() const { return rows * columns * units * chunks * channels; }

  double input(std::int64_t maps, Piece r, Piece c) const {
    return transfer(maps, r.in, c.in, c_.rows.in, c_.columns.in, m_.element_bytes);
  }
  double weights(std::int64_t filters, std::int64_t held) const {
    const std::int64_t each = c_.weights_per_unit();
    return transfer(filters, held, each, c_.channels, each, m_.element_bytes);
  }
  double output(std::int64_t filters, Piece r, Piece c, int bytes) const {
    return transfer(filters * c_.maps_per_unit, r.out, c.out, c_.rows.out, c_.columns.out, bytes);
  }
  double mac(std::int64_t filters, int maps, Piece r, Piece c) const {
    const std::int64_t steps = c_.operation == Operator::fully_connected
                                   ? divide_up(std::int64_t{maps} * c_.taps(), m_.macs_per_cycle)
                                   : divide_up(std::int64_t{r.out} * c.out * c_.taps(), m_.macs_per_cycle) * maps;
    const std::int64_t cycles = steps * filters * c_.maps_per_unit;
    return static_cast<double>(cycles) / (m_.clock_hz * m_.mac_efficiency);
  }

  const CostModel& model() const { return model_; }
  const Convolution& convolution() const { return c_; }
  const Machine& machine() const { return m_; }
  const Tiling& tiling() const { return t_; }
  bool weight_stationary() const { return ws_; }
  bool input_stationary() const { return is_; }
  bool resident() const { return resident_; }

  std::int64_t rows = 1, columns = 1, units = 1, channels = 1, chunks = 1;

 private:
  // Rows that lie end to end are one run.
  double transfer(std::int64_t maps, std::int64_t high, std::int64_t wide, std::int64_t height, std::int64_t width,
                  int bytes) const {
    if (maps * high * wide == 0) return 0;
    std::int64_t runs = maps * high, length = wide;
    if (wide == width) {
      runs = high == height ? 1 : maps;
      length = high == height ? maps * high * wide : high * wide;
    }
    const std::int64_t bursts = runs * divide_up(length * bytes, m_.burst_bytes);
    return (static_cast<double>(runs * length * bytes) / m_.bandwidth + static_cast<double>(bursts) * m_.cas_seconds) *
           scale_;
  }

  const CostModel& model_;
  const Convolution& c_;
  const Machine& m_;
  const Tiling& t_;
  double scale_;
  int chunk_ = 0;
  bool ws_ = false, is_ = false, resident_ = false;
};

/// A step of a TLE: all its parts, and how many commands its loads and stores take.
struct StepWork {
  Turn turn;
  std::int64_t loads = 0, stores = 0;
};

/// What one TLE does, step by step.
class Work {
 public:
  Work(const Tiles& tiles, int tle, int row_slice, int filter_slice) : tiles_(tiles), tle_(tle) {
    const Convolution& c = tiles.convolution();
    const Tiling& t = tiles.tiling();
    const auto& part = tiles.model().sums().of(t.partition);
    const int begin = row_slice * part.slice_rows;
    const int high = std::clamp(c.rows.out - begin, 0, part.slice_rows);
    for (std::int64_t i = 0; i < tiles.rows; ++i) rows_.push_back(tiles.piece(c.rows, begin, high, t.rows, i));
    for (std::int64_t i = 0; i < tiles.columns; ++i)
      columns_.push_back(tiles.piece(c.columns, 0, c.columns.out, t.columns, i));
    split_filters(part, filter_slice);
  }

  /// What the TLE does in a step; false if it has no tile in it.
  bool at(std::int64_t step, StepWork& work) const {
    work = {};
    Turn& turn = work.turn;
    turn.tle = tle_;
    turn.step = step;
    std::int64_t r = 0, c = 0, u = 0, k = 0, n = 0;
    place(step, r, c, u, k, n);
    const Share& share = shares_[static_cast<std::size_t>(u)];
    const int maps = tiles_.tile_channels(k, n);
    if (rows_[static_cast<std::size_t>(r)].out == 0 || share.tlts[0] == 0 || maps == 0) return false;
    const Piece high = rows_[static_cast<std::size_t>(r)], wide = columns_[static_cast<std::size_t>(c)];
    load(work, share, high, wide, maps, {r, c, u, k, n});
    turn.mac = tiles_.mac(share.size[0], maps, high, wide);
    const Machine& m = tiles_.machine();
    const bool last_channels = n + 1 == tiles_.channels || tiles_.tile_channels(k, n + 1) == 0;
    if (!last_channels) return true;
    work.stores = share.tlts[0] + share.tlts[1];
    turn.output = each(share, [&](int size) {
      return tiles_.output(size, high, wide, k + 1 < tiles_.chunks ? m.partial_sum_bytes : m.element_bytes);
    });
    return true;
  }

 private:
  struct Place {
    std::int64_t row, column, unit, chunk, channel;
  };

  // "The remaining filters are spread among the TLTs which have the lowest IDs" (section IV-C).
  void split_filters(const Sums::OfPartition& part, int slice) {
    const Convolution& c = tiles_.convolution();
    const int tlts = tiles_.machine().tlts, filters = static_cast<int>(divide_up(c.units, part.grid.filters));
    const int here = std::clamp(c.units - slice * filters, 0, filters);
    const int low = here / tlts, extra = here % tlts;
    for (std::int64_t i = 0; i < tiles_.units; ++i) {
      const int t_m = tiles_.tiling().units;
      Share share;
      const auto add = [&](int count, int length, int kind) {
        const int size = tiles_.clip(length, t_m, i);
        if (count > 0 && size > 0) share.tlts[kind] = count, share.size[kind] = size;
      };
      if (!tiles_.exact()) {
        add(tlts, part.tlt_units, 0);
      } else {
        add(extra > 0 ? extra : tlts, extra > 0 ? low + 1 : low, 0);
        if (extra > 0) add(tlts - extra, low, 1);
      }
      shares_.push_back(share);
    }
  }

  // The tile plan's loop nests.
  void place(std::int64_t step, std::int64_t& r, std::int64_t& c, std::int64_t& u, std::int64_t& k,
             std::int64_t& n) const {
    const auto take = [&](std::int64_t trips) {
      const std::int64_t index = step % trips;
      step /= trips;
      return index;
    };
    if (tiles_.input_stationary()) u = take(tiles_.units);
    n = take(tiles_.channels);
    if (tiles_.tiling().schedule == Schedule::output_stationary) u = take(tiles_.units);
    c = take(tiles_.columns);
    r = take(tiles_.rows);
    if (!tiles_.weight_stationary()) return;
    k = take(tiles_.chunks);
    u = take(tiles_.units);
  }

  template <typename Cost>
  static double each(const Share& share, Cost cost) {
    return share.tlts[0] * cost(share.size[0]) + (share.tlts[1] > 0 ? share.tlts[1] * cost(share.size[1]) : 0);
  }

  void load(StepWork& work, const Share& share, Piece high, Piece wide, int maps, const Place& p) const {
    const Convolution& c = tiles_.convolution();
    const std::int64_t tlts = share.tlts[0] + share.tlts[1];
    if (c.depthwise) {
      work.turn.input = each(share, [&](int size) { return tiles_.input(size, high, wide); });
      work.loads += tlts;
    } else if (!tiles_.input_stationary() || p.unit == 0) {
      work.turn.input = tiles_.input(maps, high, wide);
      ++work.loads;
    }
    const bool first_visit = p.row == 0 && p.column == 0 && p.channel == 0;
    if (c.has_weights() && (!(tiles_.resident() || tiles_.weight_stationary()) || first_visit)) {
      const int held = tiles_.held_channels(p.chunk, p.channel);
      work.turn.weights = each(share, [&](int size) { return tiles_.weights(size, held); });
      work.loads += tlts;
    }
    if ((p.chunk == 0 && !c.residual) || p.channel > 0) return;
    const Machine& m = tiles_.machine();
    const auto sums = [&](int width) {
      return each(share, [&](int size) { return tiles_.output(size, high, wide, width); });
    };
    if (p.chunk == 0)
      work.turn.residual = sums(m.element_bytes);
    else
      work.turn.partial_sums = sums(m.partial_sum_bytes);
    work.loads += tlts;
  }

  const Tiles& tiles_;
  int tle_ = 0;
  std::vector<Piece> rows_, columns_;
  std::vector<Share> shares_;
};

class Simulation {
 public:
  Simulation(const CostModel& model, const Tiling& t, double dram_scale, const std::stop_token& stop,
             const TurnVisitor& visit)
      : tiles_(model, t, dram_scale), stop_(stop), visit_(visit), steps_(tiles_.steps()) {
    const TleGrid grid = model.sums().of(t.partition).grid;
    for (int row = 0; row < grid.rows; ++row)
      for (int filter = 0; filter < grid.filters; ++filter)
        tles_.push_back({Work(tiles_, row * grid.filters + filter, row, filter)});
  }

  double run() {
    for (Tle& tle : tles_) go_on(tle, 0);
    for (std::int64_t turns = 0; turns < turn_budget; ++turns) {
      poll(turns);
      const auto next = std::min_element(tles_.begin(), tles_.end(), [](const Tle& a, const Tle& b) {
        return a.done != b.done ? b.done : a.asks < b.asks;
      });
      if (next->done) break;
      serve(*next);
    }
    double busiest = 0;
    for (const Tle& tle : tles_) {
      busiest = std::max(busiest, tle.mac);
      end_ = std::max(end_, tle.finished);
    }
    const double lockstep = dram_ + commands_ + busiest;
    return lockstep > 0 ? std::min(1.0, end_ / lockstep) : 1;
  }

 private:
  struct Tle {
    Work work;
    std::int64_t step = -1;
    StepWork current{};
    bool storing = false, done = false;
    double asks = 0, finished = 0, mac = 0;
  };

  static double loads(const Turn& t) { return t.residual + t.partial_sums + t.input + t.weights; }

  double command(std::int64_t count) {
    const double seconds = static_cast<double>(count) * tiles_.machine().command_seconds;
    commands_ += seconds;
    return seconds;
  }

  void poll(std::int64_t count) const {
    if (count % 1024 == 0) throw_if_stopped(stop_);
  }

  // From `now` to the next time that a TLE asks for the DRAM. One without tiles walks over all steps.
  void go_on(Tle& tle, double now) {
    while (++tle.step < steps_) {
      poll(tle.step);
      tle.finished = now;
      if (!tle.work.at(tle.step, tle.current)) continue;
      tle.storing = false;
      tle.current.turn.commands = command(tle.current.loads);
      tle.asks = now + tle.current.turn.commands;
      if (loads(tle.current.turn) > 0) return;
      tell(tle, tle.asks);
      now = compute(tle, tle.asks);
      if (tle.storing) return;
    }
    tle.finished = now;
    tle.done = true;
  }

  // Until the TLE asks for its stores; if there are none, until it is done with this step.
  double compute(Tle& tle, double now) {
    const Turn& turn = tle.current.turn;
    tle.mac += turn.mac;
    tle.storing = tle.current.stores > 0;
    tle.current.turn.commands = command(tle.current.stores);
    return tle.finished = tle.asks = now + turn.mac + turn.commands;
  }

  void serve(Tle& tle) {
    const Turn& turn = tle.current.turn;
    const double begin = std::max(tle.asks, free_), time = tle.storing ? turn.output : loads(turn);
    free_ = begin + time;
    dram_ += time;
    end_ = std::max(end_, free_);
    tell(tle, begin);
    if (tle.storing) return go_on(tle, free_);
    const double now = compute(tle, free_);
    if (!tle.storing) go_on(tle, now);
  }

  void tell(const Tle& tle, double begin) {
    if (!visit_) return;
    Turn turn = tle.current.turn;
    turn.begin = begin;
    if (tle.storing)
      turn.residual = turn.partial_sums = turn.input = turn.weights = turn.mac = 0;
    else
      turn.output = 0;
    visit_(turn);
  }

  Tiles tiles_;
  const std::stop_token& stop_;
  const TurnVisitor& visit_;
  std::int64_t steps_;
  std::vector<Tle> tles_;
  double free_ = 0, dram_ = 0, commands_ = 0, end_ = 0;
};

}  // namespace

double free_running_ratio(const CostModel& model, const Tiling& tiling, double dram_scale, const std::stop_token& stop,
                          const TurnVisitor& visit) {
  return Simulation(model, tiling, dram_scale, stop, visit).run();
}

}  // namespace convscope::nmp
