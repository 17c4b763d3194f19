#include "core/nmp/cost/banked.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace convscope::nmp {
namespace {

/// Blocks of `block` bytes that `bytes` touch, on average over all starts that are multiples of `grain`.
double blocks_touched(std::int64_t bytes, std::int64_t block, std::int64_t grain) {
  return static_cast<double>((bytes - 1) / grain * grain) / static_cast<double>(block) + 1;
}

/// DRAM rows that a transfer opens, and its lines in each.
struct Rows {
  double opened = 0, lines = 0;
};

// Runs closer together than a DRAM row share it; neighbours closer than a line share that.
Rows rows_of(const Runs& runs, const DramTimings& dram) {
  const std::int64_t stride = std::max(runs.stride, runs.bytes);
  const std::int64_t line_grain = runs.stride == 0 ? dram.line_bytes : std::gcd<std::int64_t>(stride, dram.line_bytes);
  const std::int64_t row_grain = runs.stride == 0 ? dram.row_bytes : std::gcd<std::int64_t>(stride, dram.row_bytes);
  const double count = static_cast<double>(runs.count);
  const std::int64_t span = (runs.count - 1) * stride + runs.bytes;
  const double lines = std::min(count * blocks_touched(runs.bytes, dram.line_bytes, line_grain),
                                blocks_touched(span, dram.line_bytes, line_grain));
  const double opened = std::min(count * blocks_touched(runs.bytes, dram.row_bytes, row_grain),
                                 blocks_touched(span, dram.row_bytes, row_grain));
  return {opened, lines / opened};
}

// Rows lie over banks and ranks in turn; a stride of several rows leaves some out.
double banks_reached(const Runs& runs, const Rows& rows, const DramTimings& dram) {
  const std::int64_t all = std::int64_t{dram.banks} * dram.ranks;
  const std::int64_t step = std::max<std::int64_t>(1, runs.stride / dram.row_bytes);
  const bool jumps = runs.stride >= dram.row_bytes && runs.bytes < runs.stride;
  const auto reached = static_cast<double>(jumps && runs.bytes <= dram.row_bytes ? all / std::gcd(step, all) : all);
  return std::clamp(dram.window / rows.lines, 1.0, reached);
}

}  // namespace

double banked_cycles(const Runs& runs, const DramTimings& dram) {
  if (runs.count == 0 || runs.bytes == 0) return 0;
  const Rows rows = rows_of(runs, dram);
  const double ahead = dram.window - (dram.row_to_column + dram.column) / dram.long_gap;
  const double bus = rows.opened * std::max(rows.lines * dram.short_gap, (rows.lines - ahead) * dram.long_gap);
  const double activates = rows.opened * std::max(dram.row_cycle / banks_reached(runs, rows, dram),
                                                  dram.four_activates / (4.0 * dram.ranks));
  const double latency = rows.opened * rows.lines * (dram.column + dram.short_gap) / dram.window;
  return std::max({bus, activates, latency}) / (1 - dram.refresh / dram.refresh_interval);
}

double banked_bandwidth(const Runs& runs, const DramTimings& dram) {
  return static_cast<double>(runs.count * runs.bytes) * dram.clock_hz / banked_cycles(runs, dram);
}

namespace {

/// Tiles of one size along one dimension.
struct Piece {
  std::int64_t count = 0, in = 0, out = 0;
};
using Pieces = std::vector<Piece>;

void add(Pieces& pieces, const Piece& piece) {
  for (Piece& p : pieces)
    if (p.in == piece.in && p.out == piece.out) {
      p.count += piece.count;
      return;
    }
  if (piece.count > 0) pieces.push_back(piece);
}

Pieces parts(std::int64_t length, std::int64_t size, bool exact) {
  if (!exact) return {{(length + size - 1) / size, size, size}};
  Pieces pieces;
  add(pieces, {length / size, size, size});
  add(pieces, {length % size != 0 ? 1 : 0, length % size, length % size});
  return pieces;
}

Pieces tiles(const Axis& axis, int slice, int slices, int size, bool exact) {
  if (!exact) return {{std::int64_t{slices} * ((slice + size - 1) / size), axis.full_tile(size), size}};
  Pieces pieces;
  for (int begin = 0; begin < axis.out; begin += slice)
    for (int first = begin; first < std::min(begin + slice, axis.out); first += size) {
      const int out = std::min(size, std::min(begin + slice, axis.out) - first);
      add(pieces, {1, axis.needs(first, out), out});
    }
  return pieces;
}

/// All transfers of one tiling, by kind and size.
class Transfers {
 public:
  Transfers(const CostModel& model, const Tiling& t)
      : model_(model), c_(model.convolution()), m_(model.machine()), t_(t), exact_(m_.borders == Borders::exact) {
    const auto& part = model.sums().of(t.partition);
    rows_ = tiles(c_.rows, part.slice_rows, part.grid.rows, t.rows, exact_);
    columns_ = tiles(c_.columns, c_.columns.out, 1, t.columns, exact_);
    split_units(part);
  }

  double cycles() const {
    const bool ws = t_.schedule == Schedule::weight_stationary, is = t_.schedule == Schedule::input_stationary;
    const bool resident = is && model_.weights_resident(t_.partition);
    const auto& part = model_.sums().of(t_.partition);
    const auto& units = part.units[static_cast<std::size_t>(t_.units)];
    const Sums& sums = model_.sums();
    const auto held = static_cast<double>(ws ? sums.chunk : c_.channels);
    const Pieces channels = parts(ws ? sums.chunk : c_.channels, t_.channels, exact_);
    const double chunks = ws ? sums.chunks : 1;
    const Sharing sharing = model_.sharing(t_);
    const auto input_fetches = static_cast<double>(model_.input_fetches(t_, units, sharing));

    double in = 0, out = 0, partial = 0, weights = 0;
    for (const Piece& r : rows_)
      for (const Piece& c : columns_) {
        const auto places = static_cast<double>(r.count * c.count);
        if (c_.depthwise)
          for (const Piece& u : units_)
            in += places * static_cast<double>(u.count) *
                  map(u.out, r.in, c.in, c_.rows.in, c_.columns.in, m_.element_bytes);
        else
          for (const Piece& n : channels)
            in += places * static_cast<double>(n.count) * chunks * input_fetches *
                  map(n.out, r.in, c.in, c_.rows.in, c_.columns.in, m_.element_bytes);
        for (const Piece& u : units_) {
          const auto stores = places * static_cast<double>(u.count);
          const std::int64_t maps = u.out * c_.maps_per_unit;
          out += stores * map(maps, r.out, c.out, c_.rows.out, c_.columns.out, m_.element_bytes);
          if (chunks > 1)
            partial +=
                2 * (chunks - 1) * stores * map(maps, r.out, c.out, c_.rows.out, c_.columns.out, m_.partial_sum_bytes);
        }
      }
    const auto passes = static_cast<double>(model_.weight_fetches(t_, count(rows_), count(columns_), sharing));
    for (const Piece& u : units_) {
      const auto loads = passes * chunks * static_cast<double>(u.count);
      if (ws || resident)
        weights += loads * filters(u.out, static_cast<std::int64_t>(held));
      else
        for (const Piece& n : channels) weights += loads * static_cast<double>(n.count) * filters(u.out, n.out);
    }
    return (in + out + partial + weights) * c_.repeats;
  }

 private:
  static std::int64_t count(const Pieces& pieces) {
    std::int64_t sum = 0;
    for (const Piece& p : pieces) sum += p.count;
    return sum;
  }

  // As UnitSums: tiles of all TLTs of all filter slices.
  void split_units(const Sums::OfPartition& part) {
    const int slice = (c_.units + part.grid.filters - 1) / part.grid.filters;
    if (!exact_) {
      units_ = {
          {std::int64_t{part.grid.filters} * m_.tlts * ((part.tlt_units + t_.units - 1) / t_.units), 0, t_.units}};
      return;
    }
    for (int first = 0; first < c_.units; first += slice) {
      const int here = std::min(slice, c_.units - first), low = here / m_.tlts, extra = here % m_.tlts;
      for (const auto& [tlts, length] : {std::pair{extra, low + 1}, std::pair{m_.tlts - extra, low}})
        for (const Piece& p : parts(length, t_.units, true)) add(units_, {p.count * tlts, 0, p.out});
    }
  }

  double map(std::int64_t maps, std::int64_t rows, std::int64_t columns, int height, int width, int bytes) const {
    if (columns < width) {
      // Maps follow one another like rows do, only farther apart: each is a transfer's worth of runs of its own.
      return static_cast<double>(maps) * banked_cycles({rows, columns * bytes, std::int64_t{width} * bytes}, m_.dram);
    }
    const std::int64_t pitch = std::int64_t{height} * width * bytes;
    if (rows < height) return banked_cycles({maps, rows * columns * bytes, pitch}, m_.dram);
    return banked_cycles({1, maps * pitch, 0}, m_.dram);
  }

  double filters(std::int64_t units, std::int64_t channels) const {
    const std::int64_t bytes = channels * c_.taps() * c_.maps_per_unit * m_.element_bytes;
    const std::int64_t pitch = std::int64_t{c_.channels} * c_.taps() * c_.maps_per_unit * m_.element_bytes;
    return bytes == pitch ? banked_cycles({1, units * bytes, 0}, m_.dram)
                          : banked_cycles({units, bytes, pitch}, m_.dram);
  }

  const CostModel& model_;
  const Convolution& c_;
  const Machine& m_;
  const Tiling& t_;
  bool exact_;
  Pieces rows_, columns_, units_;
};

}  // namespace

double banked_seconds(const CostModel& model, const Tiling& tiling) {
  return Transfers(model, tiling).cycles() / model.machine().dram.clock_hz;
}

}  // namespace convscope::nmp
