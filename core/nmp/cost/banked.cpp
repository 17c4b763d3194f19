#include "core/nmp/cost/banked.h"

#include <algorithm>
#include <vector>

#include "core/dram/forms/banked.h"

namespace convscope::nmp {
namespace {

/// Tiles of one size along one dimension.
struct BankedPiece {
  std::int64_t count = 0, in = 0, out = 0;
};
using Pieces = std::vector<BankedPiece>;

void add(Pieces& pieces, const BankedPiece& piece) {
  for (BankedPiece& p : pieces)
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
    const Pieces shares = channel_shares(part);
    Pieces channels;
    for (const BankedPiece& share : shares)
      for (const BankedPiece& n : parts(share.out, t_.channels, exact_))
        add(channels, {n.count * share.count, 0, n.out});
    const double chunks = model_.chunks(t_.partition, t_.schedule);
    const double more_sums = std::max<double>(chunks, part.channel_slices) - 1;
    const Sharing sharing = model_.sharing(t_);
    const auto input_fetches = static_cast<double>(model_.input_fetches(t_, units, sharing));

    double in = 0, out = 0, partial = 0, weights = 0, residual = 0;
    for (const BankedPiece& r : rows_)
      for (const BankedPiece& c : columns_) {
        const auto places = static_cast<double>(r.count * c.count);
        if (c_.depthwise)
          for (const BankedPiece& u : units_)
            in += places * static_cast<double>(u.count) *
                  map(u.out, r.in, c.in, c_.rows.in, c_.columns.in, m_.element_bytes, false);
        else
          for (const BankedPiece& n : channels)
            in += places * static_cast<double>(n.count) * chunks * input_fetches *
                  map(n.out, r.in, c.in, c_.rows.in, c_.columns.in, m_.element_bytes, false);
        for (const BankedPiece& u : units_) {
          const auto stores = places * static_cast<double>(u.count);
          const std::int64_t maps = u.out * c_.maps_per_unit;
          out += stores * map(maps, r.out, c.out, c_.rows.out, c_.columns.out, m_.element_bytes, true);
          if (c_.residual)
            residual += stores * map(maps, r.out, c.out, c_.rows.out, c_.columns.out, m_.element_bytes, false);
          if (more_sums > 0)
            for (const bool write : {false, true})
              partial += more_sums * stores *
                         map(maps, r.out, c.out, c_.rows.out, c_.columns.out, m_.partial_sum_bytes, write);
        }
      }
    const auto passes = static_cast<double>(model_.weight_fetches(t_, count(rows_), count(columns_), sharing));
    for (const BankedPiece& u : units_) {
      if (!c_.has_weights()) break;
      const auto loads = passes * chunks * static_cast<double>(u.count);
      if (ws || resident)
        for (const BankedPiece& share : shares)
          weights += loads * static_cast<double>(share.count) * filters(u.out, share.out);
      else
        for (const BankedPiece& n : channels) weights += loads * static_cast<double>(n.count) * filters(u.out, n.out);
    }
    return (in + out + partial + weights + residual) * c_.repeats;
  }

 private:
  static std::int64_t count(const Pieces& pieces) {
    std::int64_t sum = 0;
    for (const BankedPiece& p : pieces) sum += p.count;
    return sum;
  }

  /// Channels of the TLEs, or of a chunk of them.
  Pieces channel_shares(const Sums::OfPartition& part) const {
    const int limit = model_.channel_limit(t_.partition, t_.schedule);
    if (part.channel_slices == 1) return {{1, 0, limit}};
    const std::int64_t last = exact_ ? c_.channels - std::int64_t{part.channel_slices - 1} * limit : limit;
    Pieces shares;
    add(shares, {part.channel_slices - 1, 0, limit});
    add(shares, {1, 0, last});
    return shares;
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
        for (const BankedPiece& p : parts(length, t_.units, true)) add(units_, {p.count * tlts, 0, p.out});
    }
  }

  double map(std::int64_t maps, std::int64_t rows, std::int64_t columns, int height, int width, int bytes,
             bool write) const {
    dram::Pattern pattern{
        0, columns * bytes, rows, std::int64_t{width} * bytes, maps, std::int64_t{height} * width * bytes, write};
    if (columns == width) merge_runs(pattern, rows == height);
    return dram::banked_cycles(pattern, model_.dram(), model_.addresses());
  }

  double filters(std::int64_t units, std::int64_t channels) const {
    const std::int64_t bytes = channels * c_.weights_per_unit() * m_.element_bytes;
    const std::int64_t pitch = c_.channels * c_.weights_per_unit() * m_.element_bytes;
    dram::Pattern pattern{0, bytes, units, pitch, 1, 0, false};
    if (bytes == pitch) merge_runs(pattern, true);
    return dram::banked_cycles(pattern, model_.dram(), model_.addresses());
  }

  // Runs that lie end to end are one, and so are whole maps.
  static void merge_runs(dram::Pattern& pattern, bool whole) {
    pattern.bytes *= pattern.runs;
    pattern.runs = 1;
    if (!whole) return;
    pattern.bytes *= pattern.maps;
    pattern.maps = 1;
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
  return Transfers(model, tiling).cycles() / model.dram().organization.clock_hz;
}

}  // namespace convscope::nmp
