#include "core/snowflake/plan/layer_blocks.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/snowflake/plan/kernel_ring.h"
#include "core/snowflake/plan/load_units.h"
#include "core/snowflake/plan/tiles.h"
#include "core/snowflake/plan/windows.h"

namespace convscope::snowflake {
namespace {

/// Consecutive kernel tiles whose slots [first_slot, first_slot + slots) a block computes.
struct Segment {
  int tile = 0, tiles = 1, first_slot = 0, slots = 1;
  std::uint8_t cus = 0;
  int group = 0;
};

class KernelSegments {
 public:
  KernelSegments(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                 const KernelShape& kernels)
      : s_(shape), mapping_(mapping), machine_(machine), kernels_(kernels) {}

  int slots_per_group() const { return kernels_.taps && grouped() ? s_.group_channels / kernels_.together : 0; }

  std::vector<Segment> all() const {
    std::vector<Segment> list;
    const int whole = s_.channels / kernels_.together, per_group = slots_per_group();
    if (per_group == 0) {
      add(list, 0, whole, 0);
    } else {
      for (int group = 0; group * per_group < whole; ++group)
        add(list, group * per_group, std::min(per_group, whole - group * per_group), group);
    }
    if (const int rest = s_.channels % kernels_.together; rest > 0)
      list.push_back({whole / mapping_.kernels_per_vmac, 1, whole % mapping_.kernels_per_vmac, 1, first_cus(rest), 0});
    return list;
  }

  // Every slot alone.
  static std::vector<Segment> slots(const std::vector<Segment>& segments) {
    std::vector<Segment> list;
    for (const Segment& segment : segments)
      for (int i = 0; i < segment.slots; ++i) {
        list.push_back(segment);
        list.back().first_slot += i;
        list.back().slots = 1;
      }
    return list;
  }

  // Every tile alone.
  static std::vector<Segment> single(const std::vector<Segment>& segments) {
    std::vector<Segment> list;
    for (const Segment& segment : segments)
      for (int i = 0; i < segment.tiles; ++i) {
        list.push_back(segment);
        list.back().tile += i;
        list.back().tiles = 1;
      }
    return list;
  }

 private:
  bool grouped() const { return s_.groups > 1 && !kernels_.dense && s_.group_channels % kernels_.together == 0; }

  std::uint8_t every_cu() const { return static_cast<std::uint8_t>((1u << machine_.cus) - 1); }

  std::uint8_t first_cus(int channels) const {
    return static_cast<std::uint8_t>((1u << (channels / (kernels_.together / machine_.cus))) - 1);
  }

  // Slots first … first + count - 1: whole tiles in one loop, the rest alone.
  void add(std::vector<Segment>& list, int first, int count, int group) const {
    const int per_tile = mapping_.kernels_per_vmac;
    const int tiles = count / per_tile, rest = count % per_tile;
    if (tiles > 0) list.push_back({first / per_tile, tiles, 0, per_tile, every_cu(), group});
    if (rest > 0) list.push_back({first / per_tile + tiles, 1, 0, rest, every_cu(), group});
  }

  const LayerShape& s_;
  const Mapping& mapping_;
  const ComputeMachine& machine_;
  const KernelShape& kernels_;
};

std::string refusal(const LayerShape& s, const Mapping& m, const ComputeMachine& machine, const KernelShape& k) {
  if (s.pool()) {
    if (s.in.pitch % machine.macs != 0)
      return fmt::format(
          "pooling reads whole vectors, but the {} channels of its input lie {} words apart; a "
          "convolution before it would round them up",
          s.in_channels, s.in.pitch);
    if (s.kind == LayerKind::average_pool && pool_weights(s).counts > machine.kernel_bank_words)
      return fmt::format("windows have {} different sizes, a kernel bank holds {} weights", pool_weights(s).counts,
                         machine.kernel_bank_words);
    return {};
  }
  const int rest = s.channels % k.together;
  if (!m.independent && machine.macs % machine.vmacs != 0)
    return fmt::format(
        "cooperative write-backs put {} words side by side, which doesn't divide vectors of {}; change "
        "vMACs or MACs",
        machine.vmacs, machine.macs);
  if (m.independent && rest % (machine.vmacs * machine.macs) != 0)
    return fmt::format("{} channels don't fill independent write-backs of {}", s.channels,
                       machine.vmacs * machine.macs);
  if (m.split && rest != 0) return fmt::format("{} channels don't fill write-backs of {}", s.channels, k.together);
  const int words = m.kernels_per_vmac * k.kernel_words;
  const int biases = m.kernels_per_vmac * k.bias_words;
  const int tile_words = k.tile_words(m.kernels_per_vmac, machine.macs);
  const int end = 2 * machine.kernel_bank_stride();
  if (m.parts) {
    // The last part, with which biases come, must have a trace that writes back.
    const int last = (s.out.height - 1) * s.stride_height - s.padding_top + (s.kernel_height - 1) * s.dilation_height;
    if (last < s.in.height) return {};
    return fmt::format(
        "kernels of {} words exceed both kernel banks and come in parts, the last of which windows over the bottom "
        "padding don't reach; larger kernel banks or no padding there would do",
        k.kernel_words);
  }
  if (m.ring) {
    if (m.kernels_per_vmac != k.slots || s.groups > 1) return "a ring of kernels takes all of a vMAC's, without groups";
    if (kernel_ring(k, m, machine)) return {};
    return fmt::format("a kernel of {} words and {} biases don't fit both kernel banks of {} words", k.kernel_words,
                       biases, end);
  }
  const bool fits = m.single ? tile_words <= end
                             : words <= machine.kernel_bank_words && biases <= machine.bias_words &&
                                   tile_words <= std::min(machine.kernel_bank_stride(), end - second_bank(machine));
  if (!fits)
    return fmt::format("{} kernels of {} words and {} biases don't fit a kernel bank of {} + {} words",
                       m.kernels_per_vmac, k.kernel_words, biases, machine.kernel_bank_words, machine.bias_words);
  return {};
}

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
    attach_maps();
    if (!s_.pool()) attach_kernels();
    if (s_.kind == LayerKind::max_pool) result_.end.free_kernel_bank = 0;
    assign_units();
    return std::move(result_);
  }

 private:
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

  void set_strips(Block& b, std::uint8_t cus) {
    b.strips = strips(s_, mapping_, machine_, tiles_[static_cast<std::size_t>(b.map_tile)], cus);
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
    const KernelSegments segments(s_, mapping_, machine_, kernels_);
    if (segments.slots_per_group() % mapping_.kernels_per_vmac != 0) {
      result_.refused =
          fmt::format("tiles of {} kernels cut a group of {} in two", mapping_.kernels_per_vmac, s_.group_channels);
      return;
    }
    result_.kernel_tiles = divide_up(kernels_.slots, mapping_.kernels_per_vmac);
    const auto all = mapping_.ring ? KernelSegments::slots(segments.all()) : segments.all();
    if (mapping_.maps_loop) {
      for (const Segment& segment : KernelSegments::single(all))
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
    b.tile_load_step = std::int64_t{kernels_.vmacs} * tile_words();
    set_strips(b, segment.cus);
    set_bias_configuration(b);
  }

  void set_bias_configuration(Block& b) const {
    const int cus = divide_up(kernel_load(b.kernel_tile).vmacs, machine_.vmacs);
    if (!mapping_.split) b.bias_configuration = value_of({.cus = static_cast<std::uint8_t>((1u << cus) - 1)});
    for (const Strip& strip : b.strips) b.bias_configuration |= strip.configuration;
  }

  int bypass_select() const {
    if (mapping_.independent) return mapping_.split ? 2 : 3;
    return mapping_.split ? 1 : 0;
  }

  int tile_words() const { return kernels_.tile_words(mapping_.kernels_per_vmac, machine_.macs); }

  // Of vMACs that compute: a tile with the last channels alone may leave some without.
  KernelLoad kernel_load(int tile) const {
    return {s_.kernels + std::int64_t{tile} * kernels_.vmacs * tile_words(),   tile_words(),   tile_words(),
            kernels_.computing(s_.channels, tile * mapping_.kernels_per_vmac), mapping_.split, {}};
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

  // Parts of even length, the last with the biases.
  void attach_parts() {
    const int words = kernels_.kernel_words;
    const int count = divide_up(words, machine_.kernel_bank_words);
    const int length = round_up(divide_up(words, count), machine_.macs);
    for (Block& b : result_.blocks) {
      b.other_bank = second_bank(machine_);
      b.tile_load = kernel_load(b.kernel_tile);
      b.tile_load.words = std::min(length, tile_words());
      for (int at = 0; at < words; at += length) b.parts.push_back(part_of(b, at, std::min(at + length, words)));
    }
  }

  KernelPart part_of(const Block& b, int first, int end) const {
    KernelPart part{end - first, end == kernels_.kernel_words, b.strips};
    if (part.last) part.words = tile_words() - first;
    for (ColumnWindow& column : part.strips[0].columns) {
      column.partial = !part.last;
      std::vector<Trace> traces;
      for (const Trace& trace : column.traces) {
        const int from = std::max(trace.kernels, first), to = std::min(trace.kernels + trace.words, end);
        if (from < to) traces.push_back({trace.maps + from - trace.kernels, from - first, to - from});
      }
      column.traces = std::move(traces);
    }
    return part;
  }

  // A tile that fills the buffer is loaded when the one before it is done with; a layer's only one, once.
  void attach_single() {
    if (result_.kernel_tiles == 1) return result_.first.kernels.push_back({kernel_load(0), 0});
    for (Block& b : result_.blocks) {
      b.single = true;
      b.tile_load = kernel_load(b.kernel_tile);
    }
  }

  void attach_ring_of_kernels() {
    const auto ring = kernel_ring(kernels_, mapping_, machine_);
    const int start = start_.kernel_bank == 0 ? 0 : second_bank(machine_);
    attach_ring(result_.blocks, result_.first, *ring, start, kernel_load(0), kernels_, s_.channels, machine_);
  }

  // The same for kernel tiles, within the loop and from block to block.
  void attach_kernels() {
    if (mapping_.parts) return attach_parts();
    if (mapping_.single) return attach_single();
    if (mapping_.ring) return attach_ring_of_kernels();
    const int banks[2] = {0, second_bank(machine_)};
    int held[2] = {-1, -1}, bank = start_.kernel_bank;
    held[bank] = result_.blocks[0].kernel_tile;
    result_.first.kernels.push_back({kernel_load(held[bank]), banks[bank]});
    std::size_t run = 0;
    for (std::size_t i = 0; i < result_.blocks.size(); ++i) {
      Block& b = result_.blocks[i];
      if (b.kernel_tile != held[bank]) {
        bank ^= 1;
        if (held[bank] != b.kernel_tile) result_.blocks[run].next = kernel_load(b.kernel_tile);
        held[bank] = b.kernel_tile;
        run = i;
      }
      b.bank = banks[bank];
      b.other_bank = banks[bank ^ 1];
      if (b.tiles == 1) continue;
      b.load_tiles = b.tiles > 2 || held[bank ^ 1] != b.kernel_tile + 1;
      b.tile_load = kernel_load(b.kernel_tile + 1);
      const int last = b.kernel_tile + b.tiles - 1;
      bank ^= (b.tiles - 1) & 1;
      held[bank] = last;
      held[bank ^ 1] = last - 1;
      run = i;
    }
    result_.end.free_kernel_bank = bank ^ 1;
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
  LayerBlocks result_;
};

}  // namespace

int second_bank(const ComputeMachine& machine) {
  return round_up(machine.kernel_bank_stride(), kernel_region_words);
}

LayerBlocks layer_blocks(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                         const LayerStart& start) {
  return Planner(shape, mapping, machine, start).run();
}

std::string refused_mapping(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  std::string reason = refusal(shape, mapping, machine, kernel_shape(shape, mapping, machine));
  if (!reason.empty() || tiles_fit(shape, mapping, machine)) return reason;
  return fmt::format("the input of {} rows of outputs doesn't fit {} words of the maps buffer; take fewer rows",
                     mapping.rows, map_slots(shape, mapping, machine).words);
}

std::int64_t kernel_region_words_of(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  if (shape.kind == LayerKind::max_pool) return 0;
  if (shape.kind == LayerKind::average_pool) return round_up(shape.kernel_height * shape.kernel_width, machine.macs);
  const KernelShape kernels = kernel_shape(shape, mapping, machine);
  return std::int64_t{divide_up(kernels.slots, mapping.kernels_per_vmac)} * kernels.vmacs *
         kernels.tile_words(mapping.kernels_per_vmac, machine.macs);
}

void place_kernels(ProgramLayer& layer, std::vector<Region>& regions, const Mapping& mapping,
                   const ComputeMachine& machine) {
  const LayerShape shape = shape_of(layer, regions, machine, false);
  layer.kernels = {};
  if (shape.kind == LayerKind::max_pool) return;
  const KernelShape kernels = kernel_shape(shape, mapping, machine);
  layer.kernels.region = static_cast<int>(regions.size());
  layer.kernels.order = mapping.independent ? KernelOrder::independent : KernelOrder::cooperative;
  layer.kernels.vmacs = kernels.vmacs;
  layer.kernels.kernels_per_vmac = mapping.kernels_per_vmac;
  layer.kernels.span = kernels.taps ? kernels.span : 0;
  regions.push_back(
      {layer.name + " kernels", RegionKind::kernels, 0, kernel_region_words_of(shape, mapping, machine), 0, 0});
}

}  // namespace convscope::snowflake
