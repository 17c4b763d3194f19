#include "core/snowflake/plan/layer_blocks.h"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "core/snowflake/plan/kernel_loads.h"
#include "core/snowflake/plan/kernel_segments.h"
#include "core/snowflake/plan/load_units.h"
#include "core/snowflake/plan/refused_mapping.h"
#include "core/snowflake/plan/streamed_maps.h"
#include "core/snowflake/plan/tiles.h"
#include "core/snowflake/plan/windows.h"

namespace convscope::snowflake {
namespace {

class Planner {
 public:
  Planner(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine, const LayerStart& start)
      : s_(shape),
        mapping_(mapping),
        machine_(machine),
        start_(start),
        kernels_(kernel_shape(shape, mapping, machine)) {}

  LayerBlocks run() {
    result_.refused = refused_mapping(s_, mapping_, machine_);
    if (!result_.refused.empty()) return std::move(result_);
    tiles_ = map_tiles(s_, mapping_, machine_);
    result_.map_tiles = static_cast<int>(tiles_.size());
    s_.pool() ? pools() : convolution();
    if (!result_.refused.empty()) return std::move(result_);
    if (!streams_maps(mapping_)) attach_maps();
    if (!s_.pool()) attach_kernel_loads(result_, s_, mapping_, machine_, kernels_, start_.kernel_bank);
    if (streams_maps(mapping_)) attach_streams();
    if (s_.kind == LayerKind::max_pool) result_.end.free_kernel_bank = 0;
    assign_units();
    return std::move(result_);
  }

 private:
  struct KnownStrips {
    std::uint8_t cus = 0;
    std::vector<Strip> strips;
  };

  Block& block(int tile) {
    Block b;
    const MapTile& t = tiles_[static_cast<std::size_t>(tile)];
    b.map_tile = tile;
    b.out_base = s_.out.base + (std::int64_t{t.row} * s_.out.width + t.column) * s_.out.pitch;
    b.x_step = x_step(s_, t);
    b.y_step = y_step(s_, t);
    b.cu_stride = mapping_.split ? t.rows * s_.out.width * s_.out.pitch
                                 : machine_.vmacs * (mapping_.independent ? machine_.macs : 1);
    b.form = mapping_.form;
    b.outputs_per_turn = mapping_.outputs_per_turn;
    result_.blocks.push_back(std::move(b));
    return result_.blocks.back();
  }

  // A map tile has the same ones for all kernel tiles but the last.
  void set_strips(Block& b, std::uint8_t cus) {
    const auto tile = static_cast<std::size_t>(b.map_tile);
    known_strips_.resize(tiles_.size());
    std::optional<KnownStrips>& known = known_strips_[tile];
    if (!known || known->cus != cus) known = KnownStrips{cus, strips(s_, mapping_, machine_, tiles_[tile], cus)};
    b.strips = known->strips;
    if (b.strips.empty()) result_.refused = "a window lies in the padding alone";
  }

  void pools() {
    for (int tile = 0; tile < result_.map_tiles; ++tile) {
      Block& b = block(tile);
      const MapTile& t = tiles_[static_cast<std::size_t>(tile)];
      b.kind = s_.kind == LayerKind::max_pool ? VectorKind::maximum : VectorKind::lanes;
      b.tiles = t.channels / machine_.macs;
      b.out_base += t.channel;
      b.slot_step = {machine_.macs, 0, machine_.macs};
      set_strips(b, 0);
    }
    if (s_.kind == LayerKind::max_pool) return;
    const PoolWeights weights = pool_weights(s_);
    KernelLoad load{s_.kernels + weights.first_count - 1, weights.counts, weights.counts, 1, true, {}};
    result_.first.kernels.push_back({load, 0});
  }

  void convolution() {
    if (slots_per_group(s_, kernels_) % mapping_.kernels_per_vmac != 0) {
      result_.refused =
          fmt::format("tiles of {} kernels cut a group of {} in two", mapping_.kernels_per_vmac, s_.group_channels);
      return;
    }
    result_.kernel_tiles = divide_up(kernels_.slots, mapping_.kernels_per_vmac);
    const auto segments = kernel_segments(s_, mapping_, machine_, kernels_);
    const auto all = mapping_.ring                             ? single_slots(segments)
                     : streams_maps(mapping_) && s_.groups > 1 ? single_tiles(segments)
                                                               : segments;
    if (mapping_.maps_loop) {
      for (const Segment& segment : single_tiles(all))
        for (int tile = 0; tile < result_.map_tiles; ++tile) compute(tile, segment);
    } else {
      for (int tile = 0; tile < result_.map_tiles; ++tile)
        for (const Segment& segment : all) compute(tile, segment);
    }
  }

  int first_channel(const Segment& segment) const {
    return (segment.tile * mapping_.kernels_per_vmac + segment.first_slot) * kernels_.together;
  }

  // Input channel where the segment's rows begin.
  int first_input(const Segment& segment) const {
    if (s_.groups == 1 || kernels_.dense) return 0;
    return first_channel(segment) / s_.group_channels * (s_.in_channels / s_.groups);
  }

  void compute(int tile, const Segment& segment) {
    Block& b = block(tile);
    b.kernel_tile = segment.tile;
    b.tiles = segment.tiles;
    b.slots = segment.slots;
    b.kind = mapping_.independent ? VectorKind::independent : VectorKind::cooperative;
    b.out_base += first_channel(segment);
    b.slot_step.out = kernels_.together;
    b.bypass_select = s_.has_bypass ? bypass_select() : -1;
    b.slot_step.bypass = kernels_.together;
    b.bypass_base = first_channel(segment);
    b.maps_base = first_input(segment);
    if (s_.groups > 1 && !kernels_.dense && s_.group_channels < kernels_.together)
      b.slot_step.maps = kernels_.together / s_.group_channels * (s_.in_channels / s_.groups);
    b.biases = true;
    b.kernel_words = kernels_.kernel_words;
    b.first_slot = segment.first_slot;
    b.bias_words = kernels_.bias_words;
    b.bias_at = mapping_.kernels_per_vmac * kernels_.kernel_words + segment.first_slot * kernels_.bias_words;
    b.tile_load_step = std::int64_t{kernels_.vmacs} * kernels_.tile_words(mapping_.kernels_per_vmac, machine_.macs);
    set_strips(b, segment.cus);
    set_bias_configuration(b);
  }

  void set_bias_configuration(Block& b) const {
    const int cus = divide_up(kernel_load(s_, mapping_, machine_, kernels_, b.kernel_tile).vmacs, machine_.vmacs);
    if (!mapping_.split) b.bias_configuration = value_of({.cus = static_cast<std::uint8_t>((1u << cus) - 1)});
    for (const Strip& strip : b.strips) b.bias_configuration |= strip.configuration;
  }

  int bypass_select() const {
    if (mapping_.independent) return mapping_.split ? 2 : 3;
    return mapping_.split ? 1 : 0;
  }

  std::vector<MapLoad> map_loads(int tile, int slot) const {
    return tile_loads(s_, mapping_, machine_, tiles_[static_cast<std::size_t>(tile)], slot);
  }

  // Words of the buffer in which the first row of windows lies, to the end of its last region.
  int first_rows_end() const {
    const MapTile& tile = tiles_[0];
    const int above = tile.first_row - (tile.row * s_.stride_height - s_.padding_top);
    const int rows = std::clamp((s_.kernel_height - 1) * s_.dilation_height + 1 - above, 1, tile.buffer_rows);
    const int slot = mapping_.undivided ? 0 : start_.maps_slot;
    return round_up(map_slots(s_, mapping_, machine_).base[slot] + rows * tile.row_words(), maps_region_words);
  }

  // LDs that bring the first row of windows, as far as they come in order, come before the kernels.
  void load_first_rows_early() {
    FirstLoads& first = result_.first;
    first.early = first.maps.size();
    if (!mapping_.kernels_early || mapping_.split) return;
    const int end = first_rows_end();
    std::vector<MapLoad> loads;
    first.early = 0;
    for (const MapLoad& load : first.maps) {
      if (load.buffer < end) ++first.early;
      loads.push_back(load);
      const int behind = load.buffer + load.words - end;
      if (behind <= 0 || behind >= load.words) continue;
      loads.back().words -= behind;
      loads.push_back({load.dram + load.words - behind, end, behind, load.cu, load.unit});
    }
    first.maps = std::move(loads);
  }

  // A tile that fills the buffer waits until the one before it is done with.
  void attach_undivided_maps() {
    const MapSlots slots = map_slots(s_, mapping_, machine_);
    int held = result_.blocks[0].map_tile;
    for (Block& b : result_.blocks) {
      if (b.map_tile != held) {
        const auto loads = map_loads(b.map_tile, 0);
        b.before.push_back({true, loads, loads.size(), {}});
      }
      held = b.map_tile;
      b.maps_base += slots.base[0];
      b.bypass_base += slots.bypass[0];
    }
    end_maps(0);
  }

  // `slot`: that the last tile lies in.
  void end_maps(int slot) {
    const MapSlots slots = map_slots(s_, mapping_, machine_);
    LayerEnd& end = result_.end;
    const auto& blocks = result_.blocks;
    end.last_tile = blocks.size() - 1;
    while (end.last_tile > 0 && blocks[end.last_tile - 1].map_tile == blocks.back().map_tile) --end.last_tile;
    const MapTile& tile = tiles_[static_cast<std::size_t>(blocks.back().map_tile)];
    end.maps.push_back({slots.base[slot], tile.words()});
    if (s_.has_bypass) end.maps.push_back({slots.bypass[slot], tile.rows * tile.columns * s_.bypass.pitch});
    const std::int64_t pixels = std::int64_t{tile.row} * s_.out.width + tile.column;
    end.first_output = s_.out.base + pixels * s_.out.pitch;
    end.output_words = (std::int64_t{s_.out.height} * s_.out.width - pixels) * s_.out.pitch;
  }

  void attach_streams() {
    for (Block& b : result_.blocks)
      attach_streamed_maps(b, s_, mapping_, machine_, tiles_[static_cast<std::size_t>(b.map_tile)]);
    end_maps(0);
    result_.end.maps = {{0, 2 * machine_.maps_bank_words}};
  }

  // Tiles take turns in two slots; each is loaded while the one before it is computed with.
  void attach_maps() {
    const MapSlots slots = map_slots(s_, mapping_, machine_);
    int held[2] = {-1, -1}, slot = mapping_.undivided ? 0 : start_.maps_slot;
    held[slot] = result_.blocks[0].map_tile;
    result_.first.maps = map_loads(held[slot], slot);
    load_first_rows_early();
    if (mapping_.undivided) return attach_undivided_maps();
    std::size_t run = 0;
    for (std::size_t i = 0; i < result_.blocks.size(); ++i) {
      Block& b = result_.blocks[i];
      if (b.map_tile != held[slot]) {
        slot ^= 1;
        if (held[slot] != b.map_tile) result_.blocks[run].map_loads = map_loads(b.map_tile, slot);
        held[slot] = b.map_tile;
        run = i;
      }
      b.maps_base += slots.base[slot];
      b.bypass_base += slots.bypass[slot];
    }
    end_maps(slot);
  }

  void assign_units(FirstLoads& loads) const { UnitChoice(mapping_, machine_.load_units).add(loads); }

  void assign_units() {
    assign_units(result_.first);
    for (Block& b : result_.blocks) {
      for (FirstLoads& loads : b.before) assign_units(loads);
      UnitChoice choice(mapping_, machine_.load_units);
      choice.add(b.map_loads);
      for (PlacedKernels& kernels : b.ring_loads) choice.add(kernels.load);
      for (PlacedKernels& kernels : b.late_loads) choice.add(kernels.load);
      if (b.load_tiles || b.single || !b.parts.empty()) choice.add(b.tile_load);
      for (KernelPart& part : b.parts) {
        UnitChoice beside = choice;
        beside.add(part.maps);
      }
      if (!b.next) continue;
      if (b.load_tiles)
        b.next->units = b.tile_load.units;
      else
        choice.add(*b.next);
    }
  }

  const LayerShape& s_;
  const Mapping& mapping_;
  const ComputeMachine& machine_;
  const LayerStart& start_;
  KernelShape kernels_;
  std::vector<MapTile> tiles_;
  std::vector<std::optional<KnownStrips>> known_strips_;  ///< by tile
  LayerBlocks result_;
};

}  // namespace

LayerBlocks layer_blocks(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                         const LayerStart& start) {
  return Planner(shape, mapping, machine, start).run();
}

}  // namespace convscope::snowflake
