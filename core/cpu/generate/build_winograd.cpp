// A Winograd path's program: for each block of tiles its inputs transformed, the product at each position, and its
// products transformed back. Source: the thesis named in problem.h, sections 6.5 to 6.8; fused by blocks is ours.

#include "core/cpu/generate/stages.h"
#include "core/cpu/kernels/winograd.h"

namespace convscope::cpu {
namespace {

/// Tiles of one block: its first, and how many.
struct TileBlock {
  Affine row, column;
  int rows = 1, columns = 1;
};

/// The outermost loop that has several iterations, divided over threads: tiles and positions are independent of each
/// other, and what comes behind it waits for all of them.
NodePtr divided(const NodePtr& node, int threads) {
  if (node->kind != Kind::loop || threads < 2) return node;
  Node changed = *node;
  if (node->end - node->begin > 1)
    changed.threads = threads;
  else if (node->children.size() == 1)
    changed.children = {divided(node->children.front(), threads)};
  return make(std::move(changed));
}

/// Of one part of the outputs.
class Builder {
 public:
  explicit Builder(const Plan& plan)
      : plan_(plan), grid_(tile_grid(plan)), blocks_(part_blocks(plan)), room_(block_room(plan)) {}

  Nodes build() {
    Nodes nodes;
    for (const TileRun& rows : blocks_.rows)
      append(nodes, around("block_row", rows, [&](const Affine& row) {
               Nodes inside;
               for (const TileRun& columns : blocks_.columns)
                 append(inside, around("block_column", columns, [&](const Affine& column) {
                          return block_nodes({row, column, rows.extent, columns.extent});
                        }));
               return inside;
             }));
    return nodes;
  }

 private:
  template <typename Inside>
  static Nodes around(const char* variable, const TileRun& run, const Inside& inside) {
    if (run.count == 1) return inside(Affine(run.begin));
    return {loop(variable, run.count, inside(Affine::variable(variable, run.extent) + Affine(run.begin)))};
  }

  Nodes block_nodes(const TileBlock& block) const {
    Nodes nodes = each_tile(block, block.rows + grid_.halo, [&](const TileSite& site) {
      Nodes inside;
      if (plan_.padding == Padding::tile) inside.push_back(microkernel(copy_patch(site)));
      inside.push_back(microkernel(input_transform(site)));
      return inside;
    });
    append(nodes, products(block));
    append(nodes, each_tile(block, block.rows,
                            [](const TileSite& site) { return Nodes{microkernel(output_transform(site))}; }));
    return nodes;
  }

  template <typename Inside>
  Nodes each_tile(const TileBlock& block, int rows, const Inside& inside) const {
    const Problem& p = plan_.convolution;
    const Affine row = Affine::variable("row"), column = Affine::variable("column");
    const Affine out_row = (block.row + row) * grid_.outputs_y + Affine(grid_.top);
    const Affine out_column = (block.column + column) * grid_.outputs_x + Affine(grid_.left);
    const TileSite site{plan_,
                        grid_,
                        out_row + Affine(-p.pad_top),
                        out_column + Affine(-p.pad_left),
                        row * block.columns + column,
                        out_row,
                        out_column};
    return {divided(loop("row", rows, {loop("column", block.columns, inside(site))}), plan_.threads)};
  }

  /// The plan's loops over a block's tiles at each position.
  Nodes products(const TileBlock& block) const {
    Plan plan = plan_;
    plan.threads = 1;  // of the loops at a position
    plan.problem = product_problem(plan_.convolution, grid_, block.rows, block.columns);
    Nodes nodes;
    if (plan.accumulates()) nodes.push_back(clear_tensor("products", plan_products(block)));
    Site site = first_site(plan);
    site.at['Q'] = Affine::variable("position_y");
    site.at['P'] = Affine::variable("position_x");
    const NodePtr each_column = loop("position_x", grid_.positions_x, build_loops(plan, site));
    nodes.push_back(divided(loop("position_y", grid_.positions_y, {each_column}), plan_.threads));
    return nodes;
  }

  /// Elements up to the end of the last position's products of a block.
  std::int64_t plan_products(const TileBlock& block) const {
    const std::int64_t last = std::int64_t{grid_.positions_y - 1} * room_.positions_x + grid_.positions_x - 1;
    return (last * room_.products + block.rows * block.columns) * plan_.convolution.kernels;
  }

  const Plan plan_;
  const TileGrid grid_;
  const TileBlocks blocks_;
  const BlockRoom room_;
};

std::vector<Tensor> tensors_of(const Plan& plan) {
  const Problem& p = plan.convolution;
  const BlockRoom room = block_room(plan);
  const auto buffer = [&](const char* name, int tiles, char dimension, int extent) {
    return Tensor{name,
                  Layout{std::string("YXT") + dimension},
                  {{{'Y', room.positions_y}, {'X', room.positions_x}, {'T', tiles}, {dimension, extent}}},
                  true};
  };
  std::vector<Tensor> tensors{{"image", plan.image, p.image(), false},
                              {"kernel", plan.weights, kernel_transform(plan).extents(p), false},
                              {"output", plan.output, p.output(), false},
                              buffer("transformed", room.inputs, 'C', p.channels),
                              buffer("products", room.products, 'M', p.kernels)};
  if (plan.padding == Padding::indirection) {
    Layout pixel{"C"};
    pixel.storage = plan.image.storage;  // as what it stands for
    tensors.push_back({"zeros", std::move(pixel), {{{'C', p.channels}}}, true});
  }
  if (plan.padding == Padding::tile)
    tensors.push_back(
        {"patch", Layout{"YXC"}, {{{'Y', room.positions_y}, {'X', room.positions_x}, {'C', p.channels}}}, true});
  return tensors;
}

}  // namespace

SyntaxTree build_winograd(const Plan& plan) {
  Nodes nodes;
  for (const TilePart& part : tile_parts(plan)) append(nodes, Builder(with_part(plan, part)).build());
  return {tensors_of(plan), block(std::move(nodes))};
}

}  // namespace convscope::cpu
