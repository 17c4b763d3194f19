#include "core/nmp/cost/free_running.h"

#include <algorithm>
#include <cassert>
#include <limits>
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

  /// Of IN, and of the W of so many filters, on their way to the other TLEs that need them.
  double ring_input(std::int64_t maps, Piece r, Piece c) const {
    return on_ring(maps * r.in * c.in, input_sharers() - 1);
  }
  double ring_weights(std::int64_t filters, std::int64_t held) const {
    const auto& part = model_.sums().of(t_.partition);
    return on_ring(filters * held * c_.weights_per_unit(), (part.row_slices - 1) * part.grid.filters);
  }
  /// TLEs with work that have the same rows.
  std::int64_t input_sharers() const {
    const auto& part = model_.sums().of(t_.partition);
    return exact() ? part.filter_slices : part.grid.filters;
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
  double on_ring(std::int64_t elements, std::int64_t hops) const {
    return m_.ring.seconds(elements * m_.element_bytes, hops, m_.clock_hz);
  }

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

/// What a TLE needs in a step as others do, and what it takes to bring it to all of them.
struct SharedLoad {
  bool joins = false;
  double dram = 0, ring = 0;
  std::int64_t loads = 0;
};

/// A step of a TLE: all its own parts, and how many commands its loads and stores take.
struct StepWork {
  bool has_tile = false;
  Turn turn;
  std::int64_t loads = 0, stores = 0;
  SharedLoad input, weights;
};

/// What one TLE does, step by step.
class Work {
 public:
  Work(const Tiles& tiles, int tle, int row_slice, int filter_slice) : tiles_(tiles), tle_(tle) {
    const Convolution& c = tiles.convolution();
    const Tiling& t = tiles.tiling();
    const auto& part = tiles.model().sums().of(t.partition);
    const bool works = row_slice < part.row_slices && filter_slice < tiles.input_sharers();
    if (tiles.machine().ring.on && works) sharing_ = tiles.model().sharing(t);
    const int begin = row_slice * part.slice_rows;
    const int high = std::clamp(c.rows.out - begin, 0, part.slice_rows);
    for (std::int64_t i = 0; i < tiles.rows; ++i) rows_.push_back(tiles.piece(c.rows, begin, high, t.rows, i));
    for (std::int64_t i = 0; i < tiles.columns; ++i)
      columns_.push_back(tiles.piece(c.columns, 0, c.columns.out, t.columns, i));
    split_filters(part, filter_slice);
  }

  /// What it gets as others do.
  const Sharing& sharing() const { return sharing_; }

  /// What the TLE does in a step; false if it has nothing to do with it.
  bool at(std::int64_t step, StepWork& work) const {
    work = {};
    Turn& turn = work.turn;
    turn.tle = tle_;
    turn.step = step;
    std::int64_t r = 0, c = 0, u = 0, k = 0, n = 0;
    place(step, r, c, u, k, n);
    const Share& share = shares_[static_cast<std::size_t>(u)];
    const int maps = tiles_.tile_channels(k, n);
    const Piece high = rows_[static_cast<std::size_t>(r)], wide = columns_[static_cast<std::size_t>(c)];
    if (maps == 0) return false;
    const Place place_now{r, c, u, k, n};
    work.has_tile = high.out > 0 && share.tlts[0] > 0;
    work.input.joins = sharing_.input && high.out > 0 && new_input(place_now);
    work.weights.joins = sharing_.weights && share.tlts[0] > 0 && new_weights(place_now);
    if (!work.has_tile) return work.input.joins || work.weights.joins;
    load(work, share, high, wide, maps, place_now);
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

  bool new_input(const Place& p) const { return !tiles_.input_stationary() || p.unit == 0; }
  bool new_weights(const Place& p) const {
    const bool first_visit = p.row == 0 && p.column == 0 && p.channel == 0;
    return tiles_.convolution().has_weights() && (!(tiles_.resident() || tiles_.weight_stationary()) || first_visit);
  }

  void load(StepWork& work, const Share& share, Piece high, Piece wide, int maps, const Place& p) const {
    const Convolution& c = tiles_.convolution();
    const std::int64_t tlts = share.tlts[0] + share.tlts[1];
    if (c.depthwise) {
      work.turn.input = each(share, [&](int size) { return tiles_.input(size, high, wide); });
      work.loads += tlts;
    } else if (work.input.joins) {
      work.input = {true, tiles_.input(maps, high, wide), tiles_.ring_input(maps, high, wide), 1};
    } else if (new_input(p)) {
      work.turn.input = tiles_.input(maps, high, wide);
      ++work.loads;
    }
    if (new_weights(p)) {
      const int held = tiles_.held_channels(p.chunk, p.channel);
      const double dram = each(share, [&](int size) { return tiles_.weights(size, held); });
      const double ring = each(share, [&](int size) { return tiles_.ring_weights(size, held); });
      if (work.weights.joins) {
        work.weights = {true, dram, ring, tlts};
      } else {
        work.turn.weights = dram;
        work.loads += tlts;
      }
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
  Sharing sharing_;
  std::vector<Piece> rows_, columns_;
  std::vector<Share> shares_;
};

class Simulation {
 public:
  Simulation(const CostModel& model, const Tiling& t, double dram_scale, const std::stop_token& stop,
             const TurnVisitor& visit)
      : tiles_(model, t, dram_scale), stop_(stop), visit_(visit), steps_(tiles_.steps()) {
    const TleGrid grid = model.sums().of(t.partition).grid;
    of_rows_.resize(static_cast<std::size_t>(grid.rows));
    of_filters_.resize(static_cast<std::size_t>(grid.filters));
    for (int row = 0; row < grid.rows; ++row)
      for (int filter = 0; filter < grid.filters; ++filter) {
        tles_.push_back({Work(tiles_, row * grid.filters + filter, row, filter), row, filter});
        const Sharing sharing = tles_.back().work.sharing();
        if (sharing.input) of_rows_[static_cast<std::size_t>(row)].add(tles_.size() - 1);
        if (sharing.weights) of_filters_[static_cast<std::size_t>(filter)].add(tles_.size() - 1);
      }
  }

  double run() {
    for (Tle& tle : tles_) advance(tle, 0);
    for (std::int64_t turns = 0; turns < turn_budget; ++turns) {
      poll(turns);
      const auto next = std::min_element(tles_.begin(), tles_.end(), [](const Tle& a, const Tle& b) {
        return a.done != b.done ? b.done : a.asks < b.asks;
      });
      if (next->done) break;
      assert(next->asks < never);  // all that share something come to the same steps
      serve(*next);
    }
    double busiest = 0;
    for (const Tle& tle : tles_) {
      busiest = std::max(busiest, tle.mac);
      end_ = std::max(end_, tle.finished);
    }
    const double lockstep = dram_ + commands_ + ring_ + busiest;
    return lockstep > 0 ? std::min(1.0, end_ / lockstep) : 1;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// What a TLE does, or waits for.
  enum class Stage { step_done, shared_input, shared_weights, loads, stores };

  struct Tle {
    Work work;
    int row = 0, filter = 0;  ///< slices
    std::int64_t step = -1;
    StepWork current{};
    Stage stage = Stage::step_done;
    bool done = false;
    double asks = 0, finished = 0, mac = 0;
  };

  /// TLEs that get the same tile; the first of them loads it when all are there.
  struct Meeting {
    std::vector<std::size_t> members;
    std::size_t there = 0;
    double last = 0;
    void add(std::size_t tle) { members.push_back(tle); }
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

  /// To the next step in which the TLE has something to do, walking over those in which it hasn't.
  bool next_step(Tle& tle) const {
    while (++tle.step < steps_) {
      poll(tle.step);
      if (tle.work.at(tle.step, tle.current)) return true;
    }
    return false;
  }

  Meeting& meeting_of(const Tle& tle) {
    return tle.stage == Stage::shared_input ? of_rows_[static_cast<std::size_t>(tle.row)]
                                            : of_filters_[static_cast<std::size_t>(tle.filter)];
  }
  static const SharedLoad& shared_by(const Tle& tle) {
    return tle.stage == Stage::shared_input ? tle.current.input : tle.current.weights;
  }

  void meet(Tle& tle, double now) {
    Meeting& meeting = meeting_of(tle);
    tle.asks = never;
    meeting.last = std::max(meeting.last, now);
    if (++meeting.there < meeting.members.size()) return;
    Tle& first = tles_[meeting.members.front()];
    first.current.turn.commands = command(shared_by(first).loads);
    first.asks = meeting.last + first.current.turn.commands;
    meeting.there = 0;
    meeting.last = 0;
  }

  // From `now`, when what the stage is about is over, to the next time that the TLE asks for the DRAM or waits for
  // others.
  void advance(Tle& tle, double now) {
    while (true) {
      tle.finished = now;
      switch (tle.stage) {
        case Stage::step_done:
          tle.done = !next_step(tle);
          if (tle.done) return;
          tle.stage = Stage::shared_input;
          if (tle.current.input.joins) return meet(tle, now);
          break;
        case Stage::shared_input:
          tle.stage = Stage::shared_weights;
          if (tle.current.weights.joins) return meet(tle, now);
          break;
        case Stage::shared_weights:
          tle.stage = tle.current.has_tile ? Stage::loads : Stage::step_done;
          if (!tle.current.has_tile) break;
          tle.current.turn.commands = command(tle.current.loads);
          tle.asks = now + tle.current.turn.commands;
          if (loads(tle.current.turn) > 0) return;
          tell(tle, tle.asks);
          now = tle.asks;
          break;
        case Stage::loads:
          now = compute(tle, now);
          if (tle.stage == Stage::stores) return;
          break;
        case Stage::stores:
          tle.stage = Stage::step_done;
          break;
      }
    }
  }

  // Until the TLE asks for its stores; if there are none, until it is done with this step.
  double compute(Tle& tle, double now) {
    const Turn& turn = tle.current.turn;
    tle.mac += turn.mac;
    tle.stage = tle.current.stores > 0 ? Stage::stores : Stage::step_done;
    tle.current.turn.commands = command(tle.current.stores);
    return tle.finished = tle.asks = now + turn.mac + turn.commands;
  }

  void serve(Tle& tle) {
    const Turn& turn = tle.current.turn;
    if (tle.stage == Stage::shared_input || tle.stage == Stage::shared_weights) return serve_all(tle);
    const double time = tle.stage == Stage::stores ? turn.output : loads(turn);
    tell(tle, take_dram(tle, time));
    advance(tle, free_);
  }

  double take_dram(const Tle& tle, double time) {
    const double begin = std::max(tle.asks, free_);
    free_ = begin + time;
    dram_ += time;
    end_ = std::max(end_, free_);
    return begin;
  }

  // A tile, or the filters of a TLE, for all that share it.
  void serve_all(Tle& tle) {
    const SharedLoad load = shared_by(tle);
    Turn turn{.tle = tle.current.turn.tle, .step = tle.step};
    (tle.stage == Stage::shared_input ? turn.input : turn.weights) = load.dram;
    turn.commands = tle.current.turn.commands;
    turn.begin = take_dram(tle, load.dram);
    turn.ring_begin = std::max(free_, ring_free_);
    turn.ring = load.ring;
    ring_free_ = turn.ring_begin + load.ring;
    ring_ += load.ring;
    if (visit_) visit_(turn);
    for (const std::size_t member : meeting_of(tle).members) advance(tles_[member], ring_free_);
  }

  void tell(const Tle& tle, double begin) {
    if (!visit_) return;
    Turn turn = tle.current.turn;
    turn.begin = begin;
    if (tle.stage == Stage::stores)
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
  std::vector<Meeting> of_rows_, of_filters_;  // by slice
  double free_ = 0, ring_free_ = 0, dram_ = 0, commands_ = 0, ring_ = 0, end_ = 0;
};

}  // namespace

double free_running_ratio(const CostModel& model, const Tiling& tiling, double dram_scale, const std::stop_token& stop,
                          const TurnVisitor& visit) {
  return Simulation(model, tiling, dram_scale, stop, visit).run();
}

}  // namespace convscope::nmp
