#include "core/snowflake/parse/maps.h"

#include <algorithm>

#include <fmt/format.h>

namespace convscope::snowflake {
namespace {

int round_up(int value, int step) {
  return (value + step - 1) / step * step;
}

/// Turns the table into regions and places.
class Placer {
 public:
  Placer(const MapsTable& table, int macs, ParsedNetwork& parsed)
      : table_(table),
        macs_(macs),
        parsed_(parsed),
        region_of_(table.maps.size(), -1),
        readers_(table.maps.size(), 0) {}

  void run(const std::vector<int>& kept) {
    for (const MapsTable::Use& use : table_.uses)
      for (const int maps : {use.in, use.bypass})
        if (maps >= 0) ++readers_[at(maps)];
    for (std::size_t i = 0; i < parsed_.layers.size(); ++i) {
      ProgramLayer& layer = parsed_.layers[i].layer;
      const MapsTable::Use& use = table_.uses[i];
      layer.in = place(use.in, static_cast<int>(i));
      layer.out = place(use.out, static_cast<int>(i));
      if (use.bypass >= 0) layer.bypass = place(use.bypass, static_cast<int>(i));
      parsed_.layers[i].label = label(use);
    }
    for (const int maps : kept) keep(maps);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  /// The maps whose region these lie in.
  int whole(int maps) const {
    while (table_.maps[at(maps)].joined >= 0) maps = table_.maps[at(maps)].joined;
    return maps;
  }

  /// The network's input lies as it came; what the machine writes is rounded up to whole vectors.
  int pitch(const Maps& maps) const {
    return maps.producer < 0 && maps.parts.empty() ? maps.shape.maps : round_up(maps.shape.maps, macs_);
  }

  MapsPlace place(int index, int layer) {
    const Maps& maps = table_.maps[at(index)];
    const int owner = whole(index);
    Region& region = parsed_.regions[at(region_of(owner, layer))];
    region.last_layer = std::max(region.last_layer, layer);
    int offset = 0;
    for (int part = index; part != owner; part = table_.maps[at(part)].joined)
      offset += table_.maps[at(part)].channel_offset;
    return {region_of_[at(owner)], offset,          maps.shape.size.height,
            maps.shape.size.width, maps.shape.maps, pitch(table_.maps[at(owner)])};
  }

  int region_of(int owner, int layer) {
    int& region = region_of_[at(owner)];
    if (region >= 0) return region;
    const Maps& maps = table_.maps[at(owner)];
    const bool input = maps.producer < 0 && maps.parts.empty();
    const std::int64_t words = std::int64_t{maps.shape.size.height} * maps.shape.size.width * pitch(maps);
    const std::string& layer_name = parsed_.layers[at(layer)].layer.name;
    region = static_cast<int>(parsed_.regions.size());
    // The host writes inputs before the run, so that nothing else may lie there until they were read.
    parsed_.regions.push_back({input ? fmt::format("input of {}", layer_name) : fmt::format("maps of {}", layer_name),
                               input ? RegionKind::input : RegionKind::maps, 0, words, input ? 0 : layer, layer});
    return region;
  }

  void keep(int maps) {
    const int region = region_of_[at(whole(maps))];
    if (region < 0) return;
    Region& kept = parsed_.regions[at(region)];
    if (kept.kind == RegionKind::maps) kept.kind = RegionKind::output;
    kept.last_layer = std::max(0, static_cast<int>(parsed_.layers.size()) - 1);
  }

  Dependency label(const MapsTable::Use& use) const {
    if (use.bypass >= 0) return Dependency::bypass;
    if (table_.maps[at(use.out)].joined >= 0) return Dependency::shared_output;
    return readers_[at(use.in)] > 1 ? Dependency::shared_input : Dependency::sequential;
  }

  const MapsTable& table_;
  const int macs_;
  ParsedNetwork& parsed_;
  std::vector<int> region_of_, readers_;
};

}  // namespace

void place_maps(const MapsTable& table, const std::vector<int>& kept, int macs, ParsedNetwork& parsed) {
  Placer(table, macs, parsed).run(kept);
}

}  // namespace convscope::snowflake
