#include "core/snowflake/plan/streamed_maps.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

// One part of one output's window: what its traces read lies one behind the other.
class Part {
 public:
  Part(const LayerShape& shape, const MapTile& tile, std::int64_t channel, int place)
      : s_(shape), tile_(tile), channel_(channel), at_(place) {}

  /// From word `word` of the tile on, as if all of it lay in the buffer; returns the word where it lies.
  int add(int word, int words) {
    const int first = at_;
    for (int end = word + words; word < end;) {
      const int count = std::min(end, (word / tile_.row_words() + 1) * tile_.row_words()) - word;
      put(dram_of(word), count);
      word += count;
    }
    return first;
  }

  void put(std::int64_t dram, int words) {
    if (!loads_.empty() && loads_.back().dram + loads_.back().words == dram)
      loads_.back().words += words;
    else
      loads_.push_back({dram, at_, words, -1, 0});
    at_ += words;
  }

  std::vector<MapLoad> take() { return std::move(loads_); }

 private:
  std::int64_t dram_of(int word) const {
    const std::int64_t row = tile_.first_row + word / tile_.row_words();
    return s_.in.base + channel_ + (row * s_.in.width + tile_.first_column) * s_.in.pitch + word % tile_.row_words();
  }

  const LayerShape& s_;
  const MapTile& tile_;
  std::int64_t channel_;
  int at_;
  std::vector<MapLoad> loads_;
};

MapLoad bypass_load(const LayerShape& s, const MapSlots& slots, const MapTile& tile) {
  const std::int64_t pixel = std::int64_t{tile.row} * s.bypass.width + tile.column;
  return {s.bypass.base + pixel * s.bypass.pitch, slots.bypass[0], s.bypass.pitch, -1, 0};
}

}  // namespace

void stream_maps(Mapping& mapping) {
  stream_parts(mapping);
  mapping.undivided = true;
  mapping.kernels_early = false;
  mapping.map_pieces = 1;
}

int streamed_place(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  return map_slots(shape, mapping, machine).words / 3 / maps_region_words * maps_region_words;
}

void attach_streamed_maps(Block& block, const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                          const MapTile& tile) {
  const int place = streamed_place(shape, mapping, machine);
  const MapSlots slots = map_slots(shape, mapping, machine);
  for (std::size_t i = 0; i < block.parts.size(); ++i) {
    KernelPart& part = block.parts[i];
    Part maps(shape, tile, block.maps_base, slots.base[0] + place * static_cast<int>(part.last ? 2 : i % 2));
    Strip& strip = part.strips.front();
    for (ColumnWindow& column : strip.columns) {
      for (Trace& trace : column.traces) trace.maps = maps.add(strip.maps + column.maps + trace.maps, trace.words);
      column.maps = 0;
    }
    strip.maps = 0;
    part.maps = maps.take();
    if (part.last && shape.has_bypass) part.maps.push_back(bypass_load(shape, slots, tile));
  }
  block.maps_base = 0;
  block.bypass_base += slots.bypass[0];
}

}  // namespace convscope::snowflake
