#include "core/nmp/cost/sums.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "core/base/integers.h"

namespace convscope::nmp {
namespace {

class SumMaker {
 public:
  SumMaker(const Convolution& c, const Machine& m) : c_(c), m_(m), exact_(m.borders == Borders::exact) {}

  ColumnSums columns(int size) const {
    ColumnSums s;
    each_tile(c_.columns, c_.columns.out, c_.columns.out, 1, size, [&](std::int64_t count, int in, int out) {
      s.tiles += count;
      s.in += count * in;
      s.out += count * out;
      s.widest_in = std::max(s.widest_in, in);
      if (in == c_.columns.in)
        s.in_full += count;
      else
        s.in_part_bursts += count * bursts(in);
      if (out == c_.columns.out) {
        s.out_full += count;
      } else {
        s.out_part_bursts += count * bursts(out);
        s.partial_part_bursts += count * partial_bursts(out);
      }
    });
    mac(c_.columns.out, size, s.mac_tiles, s.mac_rest);
    return s;
  }

  RowSums rows(int slice_rows, int slices, int size) const {
    RowSums s;
    each_tile(c_.rows, slice_rows, c_.rows.out, slices, size, [&](std::int64_t count, int in, int out) {
      s.tiles += count;
      s.in += count * in;
      s.out += count * out;
      s.tallest_in = std::max(s.tallest_in, in);
      if (in == c_.rows.in)
        s.in_whole += count;
      else
        s.in_strip_bursts += count * bursts(std::int64_t{in} * c_.columns.in);
      if (out == c_.rows.out) {
        s.out_whole += count;
      } else {
        s.out_strip_bursts += count * bursts(std::int64_t{out} * c_.columns.out);
        s.partial_strip_bursts += count * partial_bursts(std::int64_t{out} * c_.columns.out);
      }
    });
    mac(slice_rows, size, s.mac_tiles, s.mac_rest);
    return s;
  }

  /// Channels in `chunks` pieces of at most `chunk`, each in tiles of `size`.
  ChannelSums channels(int chunk, int chunks, int size) const {
    ChannelSums s;
    const std::int64_t map = std::int64_t{c_.rows.in} * c_.columns.in;
    for (int i = 0; i < chunks; ++i) {
      const int piece = exact_ ? std::min(chunk, c_.channels - i * chunk) : chunk;
      each_part(piece, size, [&](std::int64_t count, int n) {
        s.tiles += count;
        s.channels += count * n;
        s.in_whole_bursts += count * bursts(n * map);
        s.weight_bursts += count * bursts(n * c_.weights_per_unit());
        s.dot_steps += count * dot_steps(n);
      });
    }
    s.mac_channels = s.channels;
    return s;
  }

  UnitSums units(int slices, int size) const {
    UnitSums s;
    const int slice = static_cast<int>(divide_up(c_.units, slices));
    const int most = static_cast<int>(divide_up(slice, m_.tlts));
    s.mac_units = exact_ ? most : divide_up(most, size) * size;
    if (!exact_) {
      s.slices = slices;
      s.passes = slices * divide_up(most, size);
      add_units(s, s.passes * m_.tlts, size);
      return s;
    }
    for (int first = 0; first < c_.units; first += slice) {
      const int here = std::min(slice, c_.units - first);
      const int low = here / m_.tlts, extra = here % m_.tlts;
      ++s.slices;
      s.passes += divide_up(low + (extra > 0 ? 1 : 0), size);
      each_part(low + 1, size, [&](std::int64_t count, int n) { add_units(s, extra * count, n); });
      if (low > 0) each_part(low, size, [&](std::int64_t count, int n) { add_units(s, (m_.tlts - extra) * count, n); });
    }
    return s;
  }

  /// Channels that TLEs share out, `slice` of them each.
  ChannelSums split(int slice, int slices, int size) const {
    ChannelSums s = channels(slice, slices, size);
    const ChannelSums busiest = channels(slice, 1, size);
    s.dot_steps = busiest.dot_steps;
    s.mac_channels = busiest.channels;
    return s;
  }

  /// `of_tle`: channels of the busiest TLE.
  ChannelSums one_channel_tile(int of_tle) const {
    const std::int64_t map = std::int64_t{c_.rows.in} * c_.columns.in;
    return {
        0,     c_.channels, bursts(c_.channels * map), bursts(c_.channels * c_.weights_per_unit()), dot_steps(of_tle),
        of_tle};
  }

  UnitSums one_unit_tile() const {
    UnitSums s;
    add_units(s, 1, c_.units);
    return s;
  }

 private:
  // Of one filter and one pixel.
  std::int64_t dot_steps(std::int64_t channels) const { return divide_up(channels * c_.taps(), m_.macs_per_cycle); }
  std::int64_t bursts(std::int64_t elements) const { return divide_up(elements * m_.element_bytes, m_.burst_bytes); }
  std::int64_t partial_bursts(std::int64_t elements) const {
    return divide_up(elements * m_.partial_sum_bytes, m_.burst_bytes);
  }

  void add_units(UnitSums& s, std::int64_t count, int n) const {
    if (count == 0) return;
    const std::int64_t in_map = std::int64_t{c_.rows.in} * c_.columns.in;
    const std::int64_t out_map = std::int64_t{c_.rows.out} * c_.columns.out * c_.maps_per_unit;
    s.tiles += count;
    s.units += count * n;
    s.in_whole_bursts += count * bursts(n * in_map);
    s.out_whole_bursts += count * bursts(n * out_map);
    s.partial_whole_bursts += count * partial_bursts(n * out_map);
    s.weight_whole_bursts += count * bursts(std::int64_t{n} * c_.channels * c_.weights_per_unit());
  }

  void mac(int length, int size, std::int64_t& tiles, std::int64_t& rest) const {
    tiles = exact_ ? length / size : divide_up(length, size);
    rest = exact_ ? length % size : 0;
  }

  template <typename Visit>
  void each_part(int length, int size, Visit visit) const {
    if (!exact_) return visit(divide_up(length, size), size);
    if (length >= size) visit(length / size, size);
    if (length % size != 0) visit(1, length % size);
  }

  // Slices of `slice` outputs, `total` in all; equal tiles in a row are visited once.
  template <typename Visit>
  void each_tile(const Axis& axis, int slice, int total, int slices, int size, Visit visit) const {
    if (!exact_) return visit(slices * divide_up(slice, size), axis.full_tile(size), size);
    std::int64_t count = 0;
    int last_in = 0, last_out = 0;
    for (int begin = 0; begin < total; begin += slice)
      for (int first = begin; first < std::min(begin + slice, total); first += size) {
        const int out = std::min(size, std::min(begin + slice, total) - first), in = axis.needs(first, out);
        if (count > 0 && (in != last_in || out != last_out)) {
          visit(count, last_in, last_out);
          count = 0;
        }
        ++count;
        last_in = in;
        last_out = out;
      }
    visit(count, last_in, last_out);
  }

  const Convolution& c_;
  const Machine& m_;
  bool exact_;
};

template <typename T, typename Make>
std::vector<T> table(int sizes, const std::stop_token& stop, Make make) {
  std::vector<T> result(static_cast<std::size_t>(sizes) + 1);
  for (int size = 1; size <= sizes; ++size) {
    if (size % 64 == 1) throw_if_stopped(stop);
    result[static_cast<std::size_t>(size)] = make(size);
  }
  return result;
}

}  // namespace

std::span<const Partition> partitions_of(const Convolution& c, const TilingMachine& m) {
  static constexpr Partition all[] = {Partition::filters, Partition::filters_and_rows, Partition::rows,
                                      Partition::channels};
  const bool split = m.channel_partition && m.tles > 1 && c.channels >= m.tles && !c.depthwise;
  return {all, split ? std::size_t{4} : std::size_t{3}};
}

Sums::Sums(const Convolution& c, const Machine& m, const std::stop_token& stop) {
  const SumMaker make(c, m);
  columns = table<ColumnSums>(c.columns.out, stop, [&](int size) { return make.columns(size); });
  channels = table<ChannelSums>(c.channels, stop, [&](int size) { return make.channels(c.channels, 1, size); });
  const std::int64_t filter_channel = c.weights_per_unit() * m.element_bytes;
  chunk = filter_channel > 0 && c.has_weights()
              ? static_cast<int>(std::min<std::int64_t>(c.channels, m.weight_bytes / filter_channel))
              : c.channels;
  if (chunk > 0) {
    chunks = static_cast<int>(divide_up(c.channels, chunk));
    chunk = static_cast<int>(divide_up(c.channels, chunks));
    chunks = static_cast<int>(divide_up(c.channels, chunk));
    chunked = chunks == 1
                  ? channels
                  : table<ChannelSums>(chunk, stop, [&](int size) { return make.channels(chunk, chunks, size); });
  }
  least_channels = make.one_channel_tile(c.channels);
  least_units = make.one_unit_tile();
  for (const Partition p : partitions_of(c, m)) {
    OfPartition& part = partition[static_cast<int>(p)];
    part.grid = tle_grid(p, m.tles);
    part.channels = static_cast<int>(divide_up(c.channels, part.grid.channels));
    part.channel_slices =
        m.borders == Borders::exact ? static_cast<int>(divide_up(c.channels, part.channels)) : part.grid.channels;
    if (p == Partition::channels) {
      split = table<ChannelSums>(part.channels, stop,
                                 [&](int size) { return make.split(part.channels, part.channel_slices, size); });
      least_split = make.one_channel_tile(part.channels);
    }
    part.slice_rows = static_cast<int>(divide_up(c.rows.out, part.grid.rows));
    part.tlt_units = static_cast<int>(divide_up(divide_up(c.units, part.grid.filters), m.tlts));
    part.tile_units = c.scattered ? 1 : part.tlt_units;
    part.row_slices = m.borders == Borders::exact ? divide_up(c.rows.out, part.slice_rows) : part.grid.rows;
    const std::int64_t slice = divide_up(c.units, part.grid.filters);
    part.filter_slices = divide_up(c.units, slice);
    part.active_tlts = static_cast<int>(std::min<std::int64_t>(m.tlts, slice));
    part.rows = table<RowSums>(part.slice_rows, stop,
                               [&](int size) { return make.rows(part.slice_rows, part.grid.rows, size); });
    part.units = table<UnitSums>(part.tlt_units, stop, [&](int size) { return make.units(part.grid.filters, size); });
  }
}

}  // namespace convscope::nmp
