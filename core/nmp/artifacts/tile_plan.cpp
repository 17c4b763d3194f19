#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "core/nmp/artifacts/plan.h"

namespace convscope::nmp {
namespace {

using artifact::TileBox;
using artifact::TiledTensor;
using artifact::TileLoop;
using artifact::TileMove;
using artifact::TileStep;
using artifact::TileTensor;

struct Range {
  int begin = 0, size = 0;
};

/// Part `i` of a range cut into pieces of `size`; empty beyond its end.
Range part(Range whole, int size, std::int64_t i) {
  const auto begin = static_cast<int>(std::min<std::int64_t>(whole.size, i * size));
  return {whole.begin + begin, std::min(size, whole.size - begin)};
}

/// Input positions of outputs, padding left out.
Range input_of(const Axis& axis, Range out) {
  if (out.size == 0) return {};
  return {std::max(0, axis.first_input(out.begin)), axis.needs(out.begin, out.size)};
}

/// What the loops of one step stand at.
struct Position {
  std::int64_t group = 0, units = 0, chunk = 0, rows = 0, columns = 0, channels = 0;
};

class Planner {
 public:
  Planner(const Convolution& c, const Machine& m, const Tiling& t) : model_(c, m), t_(t) {
    ws_ = t.schedule == Schedule::weight_stationary;
    resident_ = t.schedule == Schedule::input_stationary && model_.weights_resident(t.partition);
    add_loops();
  }

  std::shared_ptr<const artifact::TilePlan> make() const {
    assert(model_.in_range(t_));
    const Machine& m = model_.machine();
    const auto self = std::make_shared<const Planner>(*this);
    std::vector<TiledTensor> tensors{tensor(TileTensor::input), tensor(TileTensor::weights),
                                     tensor(TileTensor::output)};
    return std::make_shared<const artifact::TilePlan>(
        tiling_text(t_), std::move(tensors), loops_, memories(), m.tles, m.tlts, m.burst_bytes,
        [self](const std::vector<std::int64_t>& i) { return self->step(i); },
        t_.schedule == Schedule::input_stationary ? 2 : 1, artifact::TileNames{"TLE", "TLT"});
  }

 private:
  enum class Loop { group, units, chunk, rows, columns, channels };

  void loop(Loop kind, const char* name, std::int64_t extent, std::int64_t tile) {
    loops_.push_back({name, (extent + tile - 1) / tile, tile, extent});
    kinds_.push_back(kind);
  }

  // Figures 4 to 6: what changes last stays longest.
  void add_loops() {
    const Convolution& c = model_.convolution();
    const auto& share = model_.sums().of(t_.partition);
    if (c.repeats > 1) loop(Loop::group, "groups", c.repeats, 1);
    const auto units = [&] { loop(Loop::units, c.depthwise ? "maps" : "filters", share.tlt_units, t_.units); };
    const auto image = [&] {
      loop(Loop::rows, "rows", share.slice_rows, t_.rows);
      loop(Loop::columns, "columns", c.columns.out, t_.columns);
    };
    const auto channels = [&] {
      loop(Loop::channels, "channels", model_.channel_limit(t_.partition, t_.schedule), t_.channels);
    };
    if (ws_) {
      units();
      if (model_.chunks(t_.partition, t_.schedule) > 1)
        loop(Loop::chunk, "channel parts", c.channels, model_.sums().chunk);
      image();
      channels();
    } else if (t_.schedule == Schedule::output_stationary) {
      image();
      units();
      channels();
    } else {
      image();
      channels();
      units();
    }
  }

  std::vector<artifact::TileMemory> memories() const {
    const Machine& m = model_.machine();
    const Occupancy o = model_.occupancy(t_);
    const bool is = t_.schedule == Schedule::input_stationary;
    const std::int64_t for_input = m.joint_memory ? m.input_room() - o.output : m.input_bytes;
    const std::int64_t for_output = m.joint_memory ? m.output_room() - o.input : m.output_bytes;
    return {{"MB0", TileTensor::input, for_input, o.input, is ? "for all filters" : "for one group of filters"},
            {"MB1", TileTensor::weights, m.weight_bytes, o.weights,
             resident_ ? "for the whole layer"
             : ws_     ? "for the whole image"
                       : "for one tile"},
            {"MB2", TileTensor::output, for_output, o.output, "until all channels are added"}};
  }

  TiledTensor tensor(TileTensor kind) const {
    const Convolution& c = model_.convolution();
    const std::int64_t maps = std::int64_t{c.units} * c.maps_per_unit * c.repeats;
    const std::int64_t in_maps = std::int64_t{c.depthwise ? c.units : c.channels} * c.repeats;
    const int bytes = model_.machine().element_bytes;
    if (kind == TileTensor::input) return {kind, {in_maps, c.rows.in, c.columns.in}, bytes};
    if (kind == TileTensor::weights) return {kind, {maps, c.channels, c.weights_per_map()}, bytes};
    return {kind, {maps, c.rows.out, c.columns.out}, bytes};
  }

  Position position(const std::vector<std::int64_t>& index) const {
    Position p;
    std::int64_t* const places[] = {&p.group, &p.units, &p.chunk, &p.rows, &p.columns, &p.channels};
    for (std::size_t i = 0; i < index.size(); ++i) *places[static_cast<int>(kinds_[i])] = index[i];
    return p;
  }

  TileStep step(const std::vector<std::int64_t>& index) const {
    TileStep step;
    const Position p = position(index);
    const TleGrid grid = model_.sums().of(t_.partition).grid;
    const Sharing sharing = model_.sharing(t_);
    for (int row = 0; row < grid.rows; ++row)
      for (int filter = 0; filter < grid.filters; ++filter) {
        const int tle = row * grid.filters + filter;
        for (int share = shares() - 1; share >= 0; --share) add_tle(step, p, {row, filter, share, tle + share});
        if (sharing.input && filter > 0) take_over(step, TileTensor::input, tle);
        if (sharing.weights && row > 0) take_over(step, TileTensor::weights, tle);
      }
    // What others' sums add up to is loaded after they are stored.
    const auto first = [&](const artifact::TileTransfer& t) {
      return t.move == TileMove::load || t.move == TileMove::load_residual ||
             (t.move == TileMove::load_partial_sums && shares() == 1);
    };
    std::stable_partition(step.transfers.begin(), step.transfers.end(), first);
    return step;
  }

  /// TLEs that share out the channels, as far as there are any for them.
  int shares() const {
    const auto& part = model_.sums().of(t_.partition);
    return (model_.convolution().channels + part.channels - 1) / part.channels;
  }

  // Slices with most tiles come first, so that another TLE fetches the same box in this step already.
  static void take_over(TileStep& step, TileTensor tensor, int tle) {
    for (auto& transfer : step.transfers)
      if (transfer.group == tle && transfer.box.tensor == tensor && transfer.move == TileMove::load) {
        transfer.shared = true;
        transfer.bytes = transfer.bursts = 0;
      }
  }

  /// Boxes of one TLT in one step.
  struct Boxes {
    TileBox in, weights, out;
  };

  Range channels_of(int share) const {
    return part({0, model_.convolution().channels}, model_.sums().of(t_.partition).channels, share);
  }
  /// Of a TLE's channels, those of a chunk.
  Range chunk_at(const Position& p, int share) const {
    return part(channels_of(share), model_.channel_limit(t_.partition, t_.schedule), p.chunk);
  }
  Range channels_at(const Position& p, int share) const { return part(chunk_at(p, share), t_.channels, p.channels); }

  // Filters that a weight tile holds for longer than this step are loaded whole.
  Range held_channels(const Position& p, int share) const {
    if (resident_) return channels_of(share);
    return ws_ ? chunk_at(p, share) : channels_at(p, share);
  }

  Boxes boxes(const Position& p, int share, Range out_rows, Range units) const {
    const Convolution& c = model_.convolution();
    const auto group = static_cast<int>(p.group);
    const Range out_columns = part({0, c.columns.out}, t_.columns, p.columns);
    const Range in_rows = input_of(c.rows, out_rows), in_columns = input_of(c.columns, out_columns);
    const Range channels = channels_at(p, share), held = held_channels(p, share);
    const Range in_maps = c.depthwise ? units : Range{group * c.channels + channels.begin, channels.size};
    const Range maps{(group * c.units + units.begin) * c.maps_per_unit, units.size * c.maps_per_unit};
    return {{TileTensor::input,
             {in_maps.begin, in_rows.begin, in_columns.begin},
             {in_maps.size, in_rows.size, in_columns.size}},
            {TileTensor::weights, {maps.begin, held.begin, 0}, {maps.size, held.size, c.weights_per_map()}},
            {TileTensor::output,
             {maps.begin, out_rows.begin, out_columns.begin},
             {maps.size, out_rows.size, out_columns.size}}};
  }

  // "The remaining filters are spread among the TLTs which have the lowest IDs" (section IV-C).
  Range tlt_units(int filter_slice, int tlt) const {
    const Convolution& c = model_.convolution();
    const int tlts = model_.machine().tlts;
    const TleGrid grid = model_.sums().of(t_.partition).grid;
    const int slice = (c.units + grid.filters - 1) / grid.filters;
    const Range mine = part({0, c.units}, slice, filter_slice);
    const int low = mine.size / tlts, extra = mine.size % tlts;
    return {mine.begin + tlt * low + std::min(tlt, extra), low + (tlt < extra ? 1 : 0)};
  }

  /// Which rows, filters and channels are a TLE's.
  struct Share {
    int rows = 0, filters = 0, channels = 0, tle = 0;
  };

  void add_tle(TileStep& step, const Position& p, const Share& of) const {
    const Convolution& c = model_.convolution();
    const auto& share = model_.sums().of(t_.partition);
    const Range slice = part({0, c.rows.out}, share.slice_rows, of.rows);
    const Range rows = part(slice, t_.rows, p.rows);
    if (rows.size == 0 || channels_at(p, of.channels).size == 0) return;
    bool multicast = false;
    for (int tlt = 0; tlt < model_.machine().tlts; ++tlt) {
      const Range units = part(tlt_units(of.filters, tlt), t_.units, p.units);
      if (units.size == 0) continue;
      const Boxes b = boxes(p, of.channels, rows, units);
      if (c.depthwise || (!multicast && loads_input(p)))
        move(step, TileMove::load, b.in, of.tle, c.depthwise ? tlt : -1);
      multicast = true;
      if (loads_weights(p)) move(step, TileMove::load, b.weights, of.tle, tlt);
      if (p.channels == 0 && p.chunk > 0) move(step, TileMove::load_partial_sums, b.out, of.tle, tlt);
      const bool first = p.channels == 0 && p.chunk == 0 && of.channels == 0;
      if (c.residual && first) move(step, TileMove::load_residual, b.out, of.tle, tlt);
      step.work.push_back({of.tle, tlt, b.in, b.weights, b.out});
      if (p.channels + 1 == channel_trips(p, of.channels)) store(step, p, of, b.out, tlt);
    }
  }

  // Of channels that are shared out the first TLE, which comes last here, adds up what the others store.
  void store(TileStep& step, const Position& p, const Share& of, const TileBox& out, int tlt) const {
    const bool sums = of.channels > 0 || !last_chunk(p);
    for (int other = 1; of.channels == 0 && other < shares(); ++other)
      move(step, TileMove::load_partial_sums, out, of.tle, tlt);
    move(step, sums ? TileMove::store_partial_sums : TileMove::store, out, of.tle, tlt);
  }

  // Input stationary goes through all filters with one input tile.
  bool loads_input(const Position& p) const { return t_.schedule != Schedule::input_stationary || p.units == 0; }

  bool loads_weights(const Position& p) const {
    if (!ws_ && !resident_) return true;
    return p.rows == 0 && p.columns == 0 && p.channels == 0;
  }

  bool last_chunk(const Position& p) const { return p.chunk + 1 == model_.chunks(t_.partition, t_.schedule); }

  // The last part of the channels may be done in fewer steps.
  std::int64_t channel_trips(const Position& p, int share) const {
    return (chunk_at(p, share).size + t_.channels - 1) / t_.channels;
  }

  void move(TileStep& step, TileMove kind, const TileBox& box, int tle, int tlt) const {
    if (box.elements() == 0) return;
    const Machine& m = model_.machine();
    TiledTensor in = tensor(box.tensor);
    if (kind == TileMove::load_partial_sums || kind == TileMove::store_partial_sums)
      in.element_bytes = m.partial_sum_bytes;
    step.transfers.push_back(
        {kind, box, tle, tlt, box.elements() * in.element_bytes, artifact::bursts_of(box, in, m.burst_bytes)});
  }

  CostModel model_;
  Tiling t_;
  bool ws_ = false, resident_ = false;
  std::vector<TileLoop> loops_;
  std::vector<Loop> kinds_;
};

}  // namespace

std::string tiling_text(const Tiling& t) {
  return fmt::format("{} + {}, {} x {} x {} x {}", name_of(t.partition), name_of(t.schedule), t.rows, t.columns,
                     t.channels, t.units);
}

std::shared_ptr<const artifact::TilePlan> make_tile_plan(const Convolution& convolution, const Machine& machine,
                                                         const Tiling& tiling) {
  return Planner(convolution, machine, tiling).make();
}

}  // namespace convscope::nmp
