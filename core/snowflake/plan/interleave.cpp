#include "core/snowflake/plan/interleave.h"

#include <algorithm>
#include <utility>

#include "core/snowflake/plan/tiles.h"

namespace convscope::snowflake {
namespace {

// Pixels in the order in which they lie in DRAM: a map tile completes them from the first on.
std::int64_t pixels_up_to(const LayerShape& shape, const MapTile& tile) {
  return std::int64_t{tile.row + tile.all_rows} * shape.out.width;
}

std::int64_t pixels_needed(const LayerShape& pool, const MapTile& tile) {
  const int last = (tile.row + tile.all_rows - 1) * pool.stride_height - pool.padding_top;
  const int end = std::min(last + (pool.kernel_height - 1) * pool.dilation_height + 1, pool.in.height);
  return std::int64_t{end} * pool.in.width;
}

class Interleaver {
 public:
  Interleaver(LayerBlocks convolution, const MappedShape& by, LayerBlocks pool, const MappedShape& pool_by,
              const ComputeMachine& machine)
      : convolution_(std::move(convolution)),
        pool_(std::move(pool)),
        by_(by),
        pool_by_(pool_by),
        tiles_(map_tiles(by.shape, by.mapping, machine)),
        pool_tiles_(map_tiles(pool_by.shape, pool_by.mapping, machine)) {}

  LayerBlocks run() {
    take_loads();
    std::int64_t done = 0;
    auto& blocks = convolution_.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      // The last tile ends the layers, also where it doesn't need their last rows.
      const bool pools = next_ + 1 < pool_.blocks.size() && needed() <= done;
      const bool completes = i + 1 == blocks.size() || blocks[i + 1].map_tile != blocks[i].map_tile;
      if (completes) done = pixels_up_to(by_.shape, tiles_[static_cast<std::size_t>(blocks[i].map_tile)]);
      if (pools) blocks[i].map_loads.insert(blocks[i].map_loads.end(), loads_[next_].begin(), loads_[next_].end());
      list_.push_back(std::move(blocks[i]));
      if (pools) put_pool();
    }
    while (next_ < pool_.blocks.size()) {
      pool_.blocks[next_].before.push_back({true, loads_[next_], loads_[next_].size(), {}});
      put_pool();
    }
    return result();
  }

 private:
  // Of each of the pool's tiles, which wait for each other in the buffer.
  void take_loads() {
    loads_.push_back(pool_.first.maps);
    for (std::size_t i = 1; i < pool_.blocks.size(); ++i) loads_.push_back(pool_.blocks[i].before.front().maps);
    for (Block& block : pool_.blocks) block.before.clear();
  }

  std::int64_t needed() const { return pixels_needed(pool_by_.shape, pool_tiles_[next_]); }

  void put_pool() {
    list_.push_back(std::move(pool_.blocks[next_++]));
    list_.back().layer = 1;
  }

  LayerBlocks result() {
    LayerBlocks all = std::move(convolution_);
    const std::size_t behind = pool_.blocks.size() - pool_.end.last_tile;
    all.blocks = std::move(list_);
    all.end = std::move(pool_.end);
    all.end.last_tile = all.blocks.size() - behind;
    return all;
  }

  LayerBlocks convolution_, pool_;
  const MappedShape &by_, &pool_by_;
  std::vector<MapTile> tiles_, pool_tiles_;
  std::vector<std::vector<MapLoad>> loads_;
  std::size_t next_ = 0;
  std::vector<Block> list_;
};

bool same_pixels(const Plane& a, const Plane& b) {
  return a.base == b.base && a.pitch == b.pitch && std::int64_t{a.height} * a.width == std::int64_t{b.height} * b.width;
}

}  // namespace

std::string refused_interleaving(const MappedShape& convolution, const MappedShape& pool) {
  const LayerShape &s = convolution.shape, &p = pool.shape;
  if (s.pool() || p.kind != LayerKind::max_pool) return "only a max pool takes turns with a convolution";
  if (!same_pixels(s.out, p.in) || s.channels != p.channels) return "the pool reads other maps";
  if (convolution.mapping.maps_loop || convolution.mapping.parts)
    return "no rows are complete before all kernels were loaded";
  if (convolution.mapping.columns < s.out.width) return "tiles have parts of rows";
  const Interleaving &a = convolution.mapping.interleaving, &b = pool.mapping.interleaving;
  if (a.words == 0 || b.words == 0 || (a.first < b.first + b.words && b.first < a.first + a.words))
    return "they don't have parts of the maps buffer that lie apart";
  if (!pool.mapping.undivided) return "the pool's tiles take two places";
  return {};
}

LayerBlocks interleaved(LayerBlocks convolution, const MappedShape& by, LayerBlocks pool, const MappedShape& pool_by,
                        const ComputeMachine& machine) {
  return Interleaver(std::move(convolution), by, std::move(pool), pool_by, machine).run();
}

}  // namespace convscope::snowflake
