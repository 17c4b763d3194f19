#include "core/nmp/cost/array_fit.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

struct ArrayPiece {
  std::int64_t count = 0, size = 0;
};
using ArrayPieces = std::array<ArrayPiece, 2>;

/// Tiles of `size` along `length`: with full tiles all alike, else with a smaller last one.
ArrayPieces pieces(std::int64_t length, std::int64_t size, bool exact) {
  if (!exact) return {{{divide_up(length, size), size}, {}}};
  return {{{length / size, size}, {length % size != 0 ? 1 : 0, length % size}}};
}

/// Sum over all pieces of ceil(size x factor / by).
std::int64_t groups(const ArrayPieces& all, std::int64_t factor, std::int64_t by) {
  std::int64_t sum = 0;
  for (const ArrayPiece& p : all)
    if (p.count > 0) sum += p.count * divide_up(p.size * factor, by);
  return sum;
}

/// Sets of MACs as high as a kernel, side by side as far as rows of the tile leave room.
std::int64_t sets_of(const MacArray& array, const Convolution& c, std::int64_t rows) {
  return std::max<std::int64_t>(1, array.height / c.rows.kernel) * std::max<std::int64_t>(1, array.width / rows);
}

/// A tiling's work on one array.
class ArrayWork {
 public:
  ArrayWork(const Convolution& c, const Machine& m, const Tiling& t, const TltWork& work)
      : c_(c),
        array_(m.array),
        exact_(m.borders == Borders::exact),
        macs_(m.macs_per_cycle),
        rows_(pieces(work.slice_rows, t.rows, exact_)),
        columns_(pieces(c.columns.out, t.columns, exact_)),
        units_(pieces(work.units, t.units, exact_)),
        t_(t),
        work_(work) {}

  std::int64_t cycles() const { return (array_.kind == ArrayKind::lanes ? lanes() : row_stationary()) * c_.repeats; }

 private:
  /// Over all tiles of the channels, ceil(channels / by).
  std::int64_t channel_groups(std::int64_t by) const {
    const std::int64_t last = exact_ ? c_.channels - std::int64_t{work_.chunks - 1} * work_.chunk : work_.chunk;
    return (work_.chunks - 1) * groups(pieces(work_.chunk, t_.channels, exact_), 1, by) +
           groups(pieces(last, t_.channels, exact_), 1, by);
  }
  std::int64_t filter_groups(std::int64_t by) const { return groups(units_, c_.maps_per_unit, by); }

  /// Cycles in which all partial sums pass once for each of the groups of channels.
  std::int64_t passing(std::int64_t groups_of_channels) const {
    if (array_.sums_port == 0) return 0;
    return divide_up(groups(rows_, 1, 1) * groups(columns_, 1, 1) * filter_groups(1) * groups_of_channels,
                     array_.sums_port);
  }

  // A lane adds up all channels that it is given in a step.
  std::int64_t lanes() const {
    const std::int64_t lane = macs_ / (std::int64_t{array_.height} * array_.width);
    std::int64_t steps = 0;
    for (const ArrayPiece& r : rows_)
      for (const ArrayPiece& c : columns_)
        if (r.count > 0 && c.count > 0) steps += r.count * c.count * divide_up(r.size * c.size * c_.taps(), lane);
    return std::max(steps * channel_groups(array_.height) * filter_groups(array_.width),
                    passing(channel_groups(t_.channels)));
  }

  std::int64_t row_stationary() const {
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    const std::int64_t most = sets(1);
    for (std::int64_t channels = 1; channels <= most; ++channels) {
      channels = most / (most / channels);  // the largest that leaves as many sets to filters
      best = std::min(best, std::max(in_sets(channels), passing(added_up(channels))));
    }
    return best;
  }

  std::int64_t sets(std::int64_t rows) const { return sets_of(array_, c_, rows); }

  /// Cycles with `channels` of the sets on different channels, as far as there are so many, the others on filters.
  std::int64_t in_sets(std::int64_t channels) const {
    std::int64_t cycles = 0;
    const std::int64_t high = divide_up(c_.rows.kernel, array_.height);
    for (const ArrayPiece& r : rows_) {
      if (r.count == 0) continue;
      const std::int64_t all = sets(r.size), along = std::min(channels, all);
      cycles += r.count * divide_up(r.size, array_.width) * high * channel_groups(along) * filter_groups(all / along);
    }
    return cycles * groups(columns_, 1, 1) * c_.columns.kernel;
  }

  /// Groups of channels that leave the array as one partial sum.
  std::int64_t added_up(std::int64_t channels) const {
    const std::int64_t all = sets(t_.rows), along = std::min(channels, all);
    const std::int64_t held =
        array_.held_inputs == 0 ? c_.channels : std::max(1, array_.held_inputs / c_.columns.kernel);
    return channel_groups(along * held) * divide_up(c_.rows.kernel, array_.height);
  }

  const Convolution& c_;
  const MacArray& array_;
  bool exact_;
  std::int64_t macs_;
  ArrayPieces rows_, columns_, units_;
  const Tiling& t_;
  const TltWork& work_;
};

}  // namespace

std::int64_t array_cycles(const Convolution& c, const Machine& m, const Tiling& t, const TltWork& work) {
  return ArrayWork(c, m, t, work).cycles();
}

// What a tile takes falls with its sets. So of the tiles that have at most so many sets, a must have no more rows to
// go through, for any number.
bool rows_no_worse(const MacArray& array, const Convolution& c, int slice_rows, int a, int b) {
  const ArrayPieces ours = pieces(slice_rows, a, true), theirs = pieces(slice_rows, b, true);
  const auto up_to = [&](const ArrayPieces& all, std::int64_t most) {
    std::int64_t sum = 0;
    for (const ArrayPiece& p : all)
      if (p.count > 0 && sets_of(array, c, p.size) <= most) sum += p.count * divide_up(p.size, array.width);
    return sum;
  };
  for (const ArrayPieces& all : {ours, theirs})
    for (const ArrayPiece& p : all)
      if (p.count > 0) {
        const std::int64_t most = sets_of(array, c, p.size);
        if (up_to(ours, most) > up_to(theirs, most)) return false;
      }
  return true;
}

std::int64_t least_array_cycles(const Convolution& c, const Machine& m, const Tiling& t, const TltWork& work) {
  const std::int64_t outputs = std::int64_t{work.slice_rows} * c.columns.out;
  const std::int64_t filters = std::int64_t{work.units} * c.maps_per_unit;
  std::int64_t least = divide_up(outputs * c.taps() * filters * c.channels, m.macs_per_cycle);
  if (m.array.kind == ArrayKind::rows) {
    // Rows of the output that don't fill the width leave idle what no other filter and channel can use.
    const std::int64_t high = std::max(1, m.array.height / c.rows.kernel);
    if (t.rows > m.array.width) {
      const std::int64_t each = divide_up(t.rows, m.array.width) * divide_up(c.rows.kernel, m.array.height);
      const std::int64_t tiles = work.slice_rows / t.rows;
      least = std::max(least, divide_up(tiles * each * c.columns.out * c.columns.kernel * filters * c.channels, high));
    }
  }
  if (m.array.sums_port > 0) least = std::max(least, divide_up(outputs * filters, m.array.sums_port));
  return least * c.repeats;
}

}  // namespace convscope::nmp
