#pragma once
// What each TLE does in each step of a tiling, in seconds. Private to the simulation of free-running TLEs.

#include <algorithm>
#include <vector>

#include "core/base/integers.h"
#include "core/nmp/cost/cost_model.h"
#include "core/nmp/cost/free_running.h"

namespace convscope::nmp::free_running {

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

}  // namespace convscope::nmp::free_running
