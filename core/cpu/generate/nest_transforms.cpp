#include "core/cpu/generate/nest_transforms.h"

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

NestTransforms count_transforms(const Plan& plan) {
  if (!plan.winograd()) return {};
  const Problem& p = plan.convolution;
  const TileGrid grid = tile_grid(plan);
  const TileBlocks blocks = tile_blocks(grid, plan.block_tiles);
  const auto programs = winograd_programs(plan.outputs, p.kernel_width, plan.points);
  const bool both = plan.kernel->method == Method::winograd_2d;
  const double positions = static_cast<double>(grid.positions_y) * grid.positions_x;
  const double in_tiles = (grid.rows + static_cast<double>(sum(blocks.rows)) * grid.halo) * grid.columns;
  const double out_tiles = static_cast<double>(grid.rows) * grid.columns;
  const double in_vectors = in_tiles * vectors(p.channels, plan.lanes());
  const double out_vectors = out_tiles * vectors(p.kernels, plan.lanes());
  const double in_programs = grid.positions_y + (both ? grid.positions_x : 0);
  const double out_programs = grid.outputs_y + (both ? grid.positions_x : 0);
  const double copies = plan.padding == Padding::tile ? 2 : 1;
  NestTransforms result;
  result.blocks = blocks.count();
  result.shared = grid.positions_y > 1 ? grid.positions_y : grid.positions_x;
  result.products = positions * result.blocks;
  result.fmas = in_vectors * in_programs * programs->input.operations() +
                out_vectors * out_programs * programs->output.operations();
  result.loads = positions * (copies * in_vectors + out_vectors);
  result.stores = positions * copies * in_vectors + out_vectors * grid.outputs_y * grid.outputs_x;
  result.image_bytes = 4 * static_cast<double>(elements(plan.image, p.image()));
  result.output_bytes = 4 * static_cast<double>(elements(plan.output, p.output()));
  result.kernel_bytes = 4 * elements(plan.weights, kernel_transform(plan).extents(p));
  result.block_bytes = block_bytes(p, grid, blocks);
  return result;
}

std::int64_t winograd_buffer_bytes(const Plan& plan) {
  const Problem& p = plan.convolution;
  const TileGrid grid = tile_grid(plan);
  const std::int64_t patch = std::int64_t{4} * grid.positions_y * grid.positions_x * p.channels;
  return block_bytes(p, grid, tile_blocks(grid, plan.block_tiles)) + (plan.padding == Padding::tile ? patch : 0) +
         (plan.padding == Padding::indirection ? std::int64_t{4} * p.channels : 0);
}

}  // namespace convscope::cpu
