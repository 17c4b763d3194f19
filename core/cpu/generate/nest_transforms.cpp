#include "core/cpu/generate/nest_transforms.h"

#include <algorithm>

#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

/// Vectors of all widths that `elements` take.
double vectors(int elements, int lanes) {
  double count = 0;
  for (int width = lanes; elements > 0; width = width == 4 ? 1 : width / 2) {
    count += elements / width;
    elements %= width;
  }
  return count;
}

int sum(const std::vector<TileRun>& runs) {
  int tiles = 0;
  for (const TileRun& run : runs) tiles += run.count;
  return tiles;
}

}  // namespace

namespace {

/// Of one part's tiles; `largest` are those of the block that the nest is of.
void add_part(const Plan& plan, const TilePart& part, double largest, NestTransforms& result) {
  const Problem& p = plan.convolution;
  const TileGrid grid = tile_grid(with_part(plan, part));
  const TileBlocks blocks = part_blocks(with_part(plan, part));
  const SidePrograms programs = side_programs(plan, part);
  const auto steps = [](const auto& side, auto program) { return side ? ((*side).*program).operations() : 0; };
  const double positions = static_cast<double>(grid.positions_y) * grid.positions_x;
  const double in_tiles = (grid.rows + static_cast<double>(sum(blocks.rows)) * grid.halo) * grid.columns;
  const double out_tiles = static_cast<double>(grid.rows) * grid.columns;
  const double in_vectors = in_tiles * vectors(p.channels, plan.lanes());
  const double out_vectors = out_tiles * vectors(p.kernels, plan.lanes());
  const double in_steps = steps(programs.x, &WinogradPrograms::input) * grid.positions_y +
                          steps(programs.y, &WinogradPrograms::input) * grid.positions_x;
  const double out_steps = steps(programs.x, &WinogradPrograms::output) * grid.outputs_y +
                           steps(programs.y, &WinogradPrograms::output) * grid.positions_x;
  const double copies = plan.padding == Padding::tile ? 2 : 1;
  result.blocks += blocks.count();
  result.products += positions * blocks.count() * std::min(1.0, blocks.largest_tiles() / largest);
  result.fmas += in_vectors * in_steps + out_vectors * out_steps;
  result.loads += positions * (copies * in_vectors + out_vectors);
  result.stores += positions * copies * in_vectors + out_vectors * grid.outputs_y * grid.outputs_x;
  result.image_loads += positions * in_vectors;
  result.output_stores += out_vectors * grid.outputs_y * grid.outputs_x;
}

}  // namespace

NestTransforms count_transforms(const Plan& plan) {
  if (!plan.winograd()) return {};
  const Problem& p = plan.convolution;
  const TileGrid grid = tile_grid(plan);
  NestTransforms result;
  for (const TilePart& part : tile_parts(plan))
    add_part(plan, part, tile_blocks(grid, plan.block_tiles).largest_tiles(), result);
  result.shared = grid.positions_y > 1 ? grid.positions_y : grid.positions_x;
  result.image_bytes = static_cast<double>(bytes(plan.image, p.image()));
  result.output_bytes = static_cast<double>(bytes(plan.output, p.output()));
  result.kernel_bytes = bytes(plan.weights, kernel_transform(plan).extents(p));
  result.block_bytes = block_room(plan).bytes(p);
  return result;
}

std::int64_t winograd_buffer_bytes(const Plan& plan) {
  const Problem& p = plan.convolution;
  const BlockRoom room = block_room(plan);
  const std::int64_t patch = std::int64_t{4} * room.positions_y * room.positions_x * p.channels;
  return room.bytes(p) + (plan.padding == Padding::tile ? patch : 0) +
         (plan.padding == Padding::indirection ? std::int64_t{plan.image.storage.bytes} * p.channels : 0);
}

}  // namespace convscope::cpu
