#include "core/snowflake/plan/tiles.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

int extent(int outputs, int stride, int kernel, int dilation) {
  return (outputs - 1) * stride + (kernel - 1) * dilation + 1;
}

void place_rows(const LayerShape& s, const Mapping& mapping, MapTile& tile) {
  const int first = tile.row * s.stride_height - s.padding_top;
  const int rows = extent(tile.rows, s.stride_height, s.kernel_height, s.dilation_height);
  // Each CU's rows lie alike: rows outside the input have their place, too.
  tile.first_row = mapping.split ? first : std::max(first, 0);
  const int end = mapping.split ? first + rows : std::min(first + rows, s.in.height);
  tile.buffer_rows = end - tile.first_row;
}

void place_columns(const LayerShape& s, MapTile& tile) {
  const int first = tile.column * s.stride_width - s.padding_left;
  tile.first_column = std::max(first, 0);
  tile.buffer_columns =
      std::min(first + extent(tile.columns, s.stride_width, s.kernel_width, s.dilation_width), s.in.width) -
      tile.first_column;
}

MapTile tile_of(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine, int rows, int row,
                int column, int channel) {
  MapTile tile;
  const int cus = mapping.split ? machine.cus : 1;
  tile.row = row;
  tile.all_rows = std::min(rows * cus, s.out.height - row);
  tile.rows = divide_up(tile.all_rows, cus);
  tile.column = column;
  tile.columns = std::min(mapping.columns, s.out.width - column);
  tile.channel = channel;
  tile.channels = s.pool() && mapping.channels > 0 ? std::min(mapping.channels, s.channels - channel) : s.channels;
  tile.pitch = s.pool() && mapping.channels > 0 ? tile.channels : s.in.pitch;
  place_rows(s, mapping, tile);
  place_columns(s, tile);
  return tile;
}

bool fits(const LayerShape& s, const MapSlots& slots, const MapTile& tile) {
  return std::int64_t{tile.buffer_rows} * tile.row_words() <= slots.words &&
         (!s.has_bypass || std::int64_t{tile.rows} * tile.columns * s.bypass.pitch <= slots.bypass_words);
}

// As many rows as fit, at least one. Borders of the image leave room for more. More never fit where less don't.
int rows_at(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine, const MapSlots& slots,
            int row) {
  int low = 1, high = std::min(mapping.rows, divide_up(s.out.height - row, mapping.split ? machine.cus : 1));
  const auto fitting = [&](int rows) { return fits(s, slots, tile_of(s, mapping, machine, rows, row, 0, 0)); };
  if (high <= 1 || fitting(high)) return high;
  while (low < high - 1) {
    const int middle = (low + high) / 2;
    (fitting(middle) ? low : high) = middle;
  }
  return low;
}

// Rows of the input that a CU's tile takes: [first, end), of the first output row to the last.
struct Rows {
  int out = 0, outs = 0, first = 0, end = 0;
};
Rows rows_of(const LayerShape& s, const MapTile& tile, int cu) {
  Rows rows;
  rows.out = cu * tile.rows;
  rows.outs = std::clamp(tile.all_rows - rows.out, 0, tile.rows);
  rows.first = (tile.row + rows.out) * s.stride_height - s.padding_top;
  rows.end = rows.first + extent(rows.outs, s.stride_height, s.kernel_height, s.dilation_height);
  return rows;
}

class Loads {
 public:
  Loads(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine)
      : s_(shape), mapping_(mapping), machine_(machine) {}

  std::vector<MapLoad> of(const MapTile& tile, int slot) {
    const MapSlots slots = map_slots(s_, mapping_, machine_);
    const int cus = mapping_.split ? machine_.cus : 1;
    for (int cu = 0; cu < cus; ++cu) {
      const Rows rows = rows_of(s_, tile, cu);
      if (rows.outs == 0) continue;
      const int to = mapping_.split ? cu : -1;
      maps(tile, rows, to, slots.base[slot]);
      if (s_.has_bypass) bypass(tile, rows, to, slots.bypass[slot]);
    }
    // CUs wait for each other, so all of them get their first pieces first.
    if (mapping_.undivided)
      std::stable_sort(list_.begin(), list_.end(), [](const auto& a, const auto& b) { return a.buffer < b.buffer; });
    return std::move(list_);
  }

 private:
  // A row of the image whose buffer rows begin at input row tile.first_row (of CU 0).
  void maps(const MapTile& tile, const Rows& rows, int cu, int base) {
    const int top = cu < 0 ? tile.first_row : rows.first;
    const int first = std::max(rows.first, 0), end = std::min(rows.end, s_.in.height);
    const auto at = [&](int row) { return base + (row - top) * tile.row_words(); };
    // In the order of the buffer.
    const auto zeros = [&](int from, int to) {
      for (int row = from; mapping_.split && !s_.pool() && row < to; ++row)
        put(s_.zeros, at(row), tile.row_words(), cu, 1);
    };
    zeros(rows.first, std::min(first, rows.end));
    image_rows(tile, rows, cu, first, end, at(first));
    zeros(std::max(end, rows.first), rows.end);
  }

  void image_rows(const MapTile& tile, const Rows& rows, int cu, int first, int end, int buffer) {
    const auto at = [&](int row) { return buffer + (row - first) * tile.row_words(); };
    const std::int64_t dram = s_.in.base + tile.channel + std::int64_t{tile.first_column} * s_.in.pitch;
    const std::int64_t row_step = std::int64_t{s_.in.width} * s_.in.pitch;
    if (tile.pitch < s_.in.pitch) return pixels(tile, first, end, at(first), cu, dram);
    for (int row = first; row < end; ++row) {
      if (!used(row, rows)) continue;
      int last = row + 1;
      while (tile.buffer_columns == s_.in.width && last < end && used(last, rows)) ++last;
      const bool all = row == first && last == end;
      put(dram + row * row_step, at(row), (last - row) * tile.row_words(), cu, all ? mapping_.map_pieces : 1);
      row = last - 1;
    }
  }

  // Whether a window takes it: strides may step over rows.
  bool used(int row, const Rows& rows) const {
    for (int k = 0; k < s_.kernel_height; ++k) {
      const int top = row - k * s_.dilation_height - rows.first;
      if (top >= 0 && top % s_.stride_height == 0 && top / s_.stride_height < rows.outs) return true;
    }
    return false;
  }

  void pixels(const MapTile& tile, int first, int end, int buffer, int cu, std::int64_t dram) {
    for (int row = first; row < end; ++row)
      for (int x = 0; x < tile.buffer_columns; ++x, buffer += tile.pitch)
        put(dram + (std::int64_t{row} * s_.in.width + x) * s_.in.pitch, buffer, tile.pitch, cu, 1);
  }

  void bypass(const MapTile& tile, const Rows& rows, int cu, int base) {
    const std::int64_t row_step = std::int64_t{s_.bypass.width} * s_.bypass.pitch;
    const std::int64_t dram =
        s_.bypass.base + (tile.row + rows.out) * row_step + std::int64_t{tile.column} * s_.bypass.pitch;
    const int words = tile.columns * s_.bypass.pitch;
    if (tile.columns == s_.bypass.width) return put(dram, base, rows.outs * words, cu, mapping_.map_pieces);
    for (int row = 0; row < rows.outs; ++row) put(dram + row * row_step, base + row * words, words, cu, 1);
  }

  // Broken into pieces at the borders of the regions that waiting goes by.
  void put(std::int64_t dram, int buffer, int words, int cu, int pieces) {
    if (pieces == 1) return list_.push_back({dram, buffer, words, cu, 0});
    const int piece = round_up(divide_up(words, pieces), maps_region_words);
    for (int at = 0; at < words;) {
      const int border = (buffer + at + piece) / maps_region_words * maps_region_words;
      const int end = std::min(words, border - buffer);
      list_.push_back({dram + at, buffer + at, end - at, cu, 0});
      at = end;
    }
  }

  const LayerShape& s_;
  const Mapping& mapping_;
  const ComputeMachine& machine_;
  std::vector<MapLoad> list_;
};

}  // namespace

std::vector<MapTile> map_tiles(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine) {
  std::vector<MapTile> tiles;
  const int cus = mapping.split ? machine.cus : 1;
  const int channels = s.pool() && mapping.channels > 0 ? mapping.channels : s.channels;
  const MapSlots slots = map_slots(s, mapping, machine);
  for (int row = 0, rows = 0; row < s.out.height; row += rows * cus) {
    rows = rows_at(s, mapping, machine, slots, row);
    for (int column = 0; column < s.out.width; column += mapping.columns)
      for (int channel = 0; channel < s.channels; channel += channels)
        tiles.push_back(tile_of(s, mapping, machine, rows, row, column, channel));
  }
  return tiles;
}

bool tiles_fit(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine) {
  const auto tiles = map_tiles(s, mapping, machine);
  const MapSlots slots = map_slots(s, mapping, machine);
  return std::all_of(tiles.begin(), tiles.end(), [&](const MapTile& tile) { return fits(s, slots, tile); });
}

bool largest_tiles(const LayerShape& s, Mapping& mapping, const ComputeMachine& machine) {
  const auto largest = [&](int& size, int most) {  // more never fits where less doesn't
    int low = 0, high = most;
    while (low < high) {
      size = (low + high + 1) / 2;
      if (tiles_fit(s, mapping, machine))
        low = size;
      else
        high = size - 1;
    }
    size = std::max(low, 1);
    return low > 0;
  };
  mapping.columns = s.out.width;
  mapping.channels = 0;
  mapping.rows = s.out.height;
  if (tiles_fit(s, mapping, machine)) return true;
  mapping.rows = 1;
  if (largest(mapping.columns, s.out.width)) return true;
  if (!s.pool()) return false;
  int vectors = 0;
  const auto fitting = [&](int count) {
    mapping.channels = count * machine.macs;
    return tiles_fit(s, mapping, machine);
  };
  mapping.columns = 1;
  for (int count = 1; count <= s.channels / machine.macs && fitting(count); ++count) vectors = count;
  mapping.channels = vectors * machine.macs;
  return vectors > 0;
}

void stream_parts(Mapping& mapping) {
  mapping.single = false;
  mapping.parts = true;
  mapping.kernels_per_vmac = 1;
  mapping.rows = mapping.columns = 1;
}

std::vector<MapLoad> tile_loads(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                                const MapTile& tile, int slot) {
  return Loads(shape, mapping, machine).of(tile, slot);
}

}  // namespace convscope::snowflake
