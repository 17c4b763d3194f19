#include "core/snowflake/artifacts/tile_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/snowflake/plan/kernel_ring.h"
#include "core/snowflake/plan/tiles.h"

namespace convscope::snowflake {
namespace {

using artifact::TileBox;
using artifact::TiledTensor;
using artifact::TileLoop;
using artifact::TileMove;
using artifact::TileStep;
using artifact::TileTensor;

struct Range {
  std::int64_t begin = 0, size = 0;
};

/// Input positions of output positions, padding left out.
Range input_of(Range out, int stride, int padding, int kernel, int dilation, int size) {
  if (out.size <= 0) return {};
  const std::int64_t first = std::max<std::int64_t>(0, out.begin * stride - padding);
  const std::int64_t last = (out.begin + out.size - 1) * stride - padding + std::int64_t{kernel - 1} * dilation;
  return {first, std::max<std::int64_t>(0, std::min<std::int64_t>(size - 1, last) - first + 1)};
}

class Planner {
 public:
  Planner(const Program& program, const Mapping& mapping)
      : layer_(program.layers.front()),
        machine_(program.machine),
        mapping_(mapping),
        shape_(shape_of(layer_, program.regions, machine_, mapping.by_position)),
        tiles_(map_tiles(shape_, mapping, machine_)) {
    if (shape_.pool()) return;
    kernels_ = kernel_shape(shape_, mapping, machine_);
    held_kernel_words_ = held_kernel_words();
    if (mapping_.ring) mapping_.kernels_per_vmac = 1;  // computed with and replaced one by one
    kernel_tiles_ = divide_up(kernels_.slots, mapping_.kernels_per_vmac);
  }

  std::shared_ptr<const artifact::TilePlan> make() const {
    const auto self = std::make_shared<const Planner>(*this);
    const std::int64_t taps = std::int64_t{layer_.kernel_height} * layer_.kernel_width;
    // Maps lie pixel by pixel, kernels tap by tap.
    constexpr std::array<std::size_t, 3> pixels{1, 2, 0}, kernels{0, 2, 1};
    std::vector<TiledTensor> tensors{
        {TileTensor::input, {layer_.in.channels, layer_.in.height, layer_.in.width}, word_bytes, pixels},
        {TileTensor::weights, {layer_.out.channels, layer_.in.channels / layer_.groups, taps}, word_bytes, kernels},
        {TileTensor::output, {layer_.out.channels, layer_.out.height, layer_.out.width}, word_bytes, pixels}};
    constexpr int no_bursts = 0;
    return std::make_shared<const artifact::TilePlan>(
        title(), std::move(tensors), loops(), memories(), machine_.cus, machine_.vmacs, no_bursts,
        [self](const std::vector<std::int64_t>& index) { return self->step(index); }, 1,
        artifact::TileNames{"CU", "vMAC"});
  }

 private:
  std::string title() const {
    if (shape_.pool()) return fmt::format("{} rows", mapping_.rows);
    return fmt::format("{}, {} broadcast, {}, {} rows, {} kernels of a vMAC{}", mapping_.independent ? "INDP" : "COOP",
                       mapping_.split ? "kernels" : "maps", mapping_.maps_loop ? "Mloop" : "Kloop", mapping_.rows,
                       mapping_.kernels_per_vmac, mapping_.ring ? " in a ring" : "");
  }

  std::vector<TileLoop> loops() const {
    const TileLoop maps{mapping_.by_position ? "positions" : "map tiles", static_cast<std::int64_t>(tiles_.size()), 1,
                        static_cast<std::int64_t>(tiles_.size())};
    const TileLoop kernels{"kernel tiles", kernel_tiles_, 1, kernel_tiles_};
    return mapping_.maps_loop ? std::vector{kernels, maps} : std::vector{maps, kernels};
  }

  std::vector<artifact::TileMemory> memories() const {
    int largest = 0;
    for (const MapTile& tile : tiles_) largest = std::max(largest, tile.words());
    const auto words = [](std::int64_t count) { return count * word_bytes; };
    std::vector<artifact::TileMemory> memories{{"maps buffer", TileTensor::input, words(2 * machine_.maps_bank_words),
                                                words(held_map_words(largest)),
                                                mapping_.maps_loop ? "for one kernel tile" : "for all kernel tiles"}};
    if (!shape_.pool())
      memories.push_back({"kernel buffer", TileTensor::weights, words(2 * machine_.kernel_bank_words),
                          words(held_kernel_words_), mapping_.maps_loop ? "for all map tiles" : "for one map tile"});
    return memories;
  }

  // Of the maps buffer: two tiles, or one that may fill it; windows that exceed it come in parts.
  std::int64_t held_map_words(int largest) const {
    return std::min((mapping_.undivided ? 1 : 2) * std::int64_t{largest}, 2 * std::int64_t{machine_.maps_bank_words});
  }

  // Of the kernel buffer: two tiles, one that takes both banks, or a ring and its biases.
  std::int64_t held_kernel_words() const {
    const auto ring = mapping_.ring ? kernel_ring(kernels_, mapping_, machine_) : std::nullopt;
    if (ring) return ring->bias_at + std::int64_t{ring->slots} * kernels_.bias_words;
    return (mapping_.single ? 1 : 2) * std::int64_t{kernels_.tile_words(mapping_.kernels_per_vmac, machine_.macs)};
  }

  TileStep step(const std::vector<std::int64_t>& index) const {
    TileStep step;
    step.index = index;
    const std::int64_t map = index[mapping_.maps_loop ? 1 : 0], kernel = index[mapping_.maps_loop ? 0 : 1];
    const MapTile& tile = tiles_[static_cast<std::size_t>(map)];
    const bool new_maps = mapping_.maps_loop || kernel == 0, new_kernels = !mapping_.maps_loop || map == 0;
    for (int cu = 0; cu < machine_.cus; ++cu) {
      const Range rows = rows_of(tile, cu);
      if (rows.size <= 0) continue;
      if (new_maps) move(step, TileMove::load, input_box(tile, rows), cu, -1, !mapping_.split && cu > 0);
      for (int vmac = 0; vmac < machine_.vmacs; ++vmac) add_vmac(step, tile, rows, kernel, cu, vmac, new_kernels);
    }
    std::stable_sort(step.transfers.begin(), step.transfers.end(),
                     [](const auto& a, const auto& b) { return is_load(a.move) > is_load(b.move); });
    return step;
  }

  /// Output rows of a CU's part of a tile; of a tile by position, the rows in which its positions lie.
  Range rows_of(const MapTile& tile, int cu) const {
    Range rows{tile.row, tile.rows};
    if (mapping_.split) {
      rows.begin += std::int64_t{cu} * tile.rows;
      rows.size = std::clamp<std::int64_t>(tile.row + tile.all_rows - rows.begin, 0, tile.rows);
    }
    if (!mapping_.by_position || rows.size <= 0) return rows;
    const std::int64_t first = rows.begin / layer_.out.width;
    return {first, (rows.begin + rows.size + layer_.out.width - 1) / layer_.out.width - first};
  }

  Range columns_of(const MapTile& tile) const {
    if (mapping_.by_position) return {0, layer_.out.width};
    return {tile.column, tile.columns};
  }

  Range channels_of(const MapTile& tile) const {
    if (!shape_.pool()) return {0, layer_.in.channels};
    const std::int64_t end = std::min<std::int64_t>(tile.channel + tile.channels, layer_.in.channels);
    return {tile.channel, end - tile.channel};
  }

  TileBox input_box(const MapTile& tile, Range rows) const {
    const Range y = input_of(rows, layer_.stride_height, layer_.padding_top, layer_.kernel_height,
                             layer_.dilation_height, layer_.in.height);
    const Range x = input_of(columns_of(tile), layer_.stride_width, layer_.padding_left, layer_.kernel_width,
                             layer_.dilation_width, layer_.in.width);
    const Range maps = channels_of(tile);
    return {TileTensor::input, {maps.begin, y.begin, x.begin}, {maps.size, y.size, x.size}};
  }

  /// Output maps of one slot of a vMAC.
  Range maps_of(std::int64_t kernel_tile, int slot, int cu, int vmac) const {
    const std::int64_t lanes = mapping_.independent ? machine_.macs : 1;
    const std::int64_t worker = mapping_.split ? vmac : std::int64_t{cu} * machine_.vmacs + vmac;
    const std::int64_t begin = (kernel_tile * mapping_.kernels_per_vmac + slot) * kernels_.together + worker * lanes;
    return {begin, std::clamp<std::int64_t>(layer_.out.channels - begin, 0, lanes)};
  }

  void add_vmac(TileStep& step, const MapTile& tile, Range rows, std::int64_t kernel_tile, int cu, int vmac,
                bool new_kernels) const {
    if (shape_.pool()) {
      if (vmac == 0) add_work(step, tile, rows, channels_of(tile), {}, cu, vmac);
      return;
    }
    for (int slot = 0; slot < mapping_.kernels_per_vmac; ++slot) {
      const Range maps = maps_of(kernel_tile, slot, cu, vmac);
      if (maps.size <= 0) continue;
      const std::int64_t channels = layer_.in.channels / layer_.groups;
      const std::int64_t taps = std::int64_t{layer_.kernel_height} * layer_.kernel_width;
      const TileBox weights{TileTensor::weights, {maps.begin, 0, 0}, {maps.size, channels, taps}};
      if (new_kernels) move(step, TileMove::load, weights, cu, vmac, mapping_.split && cu > 0);
      add_work(step, tile, rows, maps, weights, cu, vmac);
    }
  }

  void add_work(TileStep& step, const MapTile& tile, Range rows, Range maps, const TileBox& weights, int cu,
                int vmac) const {
    const Range columns = columns_of(tile);
    const TileBox output{
        TileTensor::output, {maps.begin, rows.begin, columns.begin}, {maps.size, rows.size, columns.size}};
    step.work.push_back({cu, vmac, input_box(tile, rows), weights, output});
    move(step, TileMove::store, output, cu, vmac, false);
  }

  static void move(TileStep& step, TileMove kind, const TileBox& box, int cu, int vmac, bool shared) {
    if (box.elements() <= 0) return;
    const std::int64_t bytes = shared ? 0 : box.elements() * word_bytes;
    step.transfers.push_back({kind, box, cu, vmac, bytes, 0, shared});
  }

  ProgramLayer layer_;
  ComputeMachine machine_;
  Mapping mapping_;
  LayerShape shape_;
  std::vector<MapTile> tiles_;
  KernelShape kernels_;
  std::int64_t kernel_tiles_ = 1, held_kernel_words_ = 0;
};

}  // namespace

std::shared_ptr<const artifact::TilePlan> make_tile_plan(const Program& program, const Mapping& mapping) {
  return Planner(program, mapping).make();
}

}  // namespace convscope::snowflake
