#include "core/cpu/tree/image_buffer.h"

#include <algorithm>

#include "core/cpu/tree/loops.h"

namespace convscope::cpu {
namespace {

/// With what vectors along W take beyond the last of so many pixels side by side.
int with_overhang(const Plan& plan, int pixels) {
  const Strategy strategy = plan.kernel->strategy;
  const int lanes = strategy == Strategy::outer || strategy == Strategy::outer_lanes ? plan.lanes() : 1;
  return (pixels + lanes - 1) / lanes * lanes;
}

/// Pixels of a row that tiles take.
int reach(const Plan& plan) {
  const TileRun last = pixel_runs(plan).back();
  return last.begin + (last.count - 1) * last.extent + with_overhang(plan, last.extent);
}

}  // namespace

std::optional<RowBlock> row_block(const Plan& plan) {
  const std::vector<LoopSpec> loops = loop_list(plan);
  const LoopSpec* outermost = plan.order.empty() ? nullptr : find_loop(loops, plan.order.front());
  if (outermost == nullptr) return std::nullopt;
  const char dimension = outermost->dimension;
  const int iterations = outermost->part == LoopSpec::Part::outer ? plan.block(dimension) : 1;
  if (dimension == 'H') return RowBlock{'H', iterations, outermost->trips};
  if (dimension != 'W' || plan.problem.out_height() > 1) return std::nullopt;
  return RowBlock{'W', iterations * pixel_runs(plan).front().extent, outermost->trips};
}

int pixels_of(const Problem& p, char dimension, int outputs) {
  return dimension == 'H' ? (outputs - 1) * p.stride_height + (p.kernel_height - 1) * p.dilation_height + 1
                          : (outputs - 1) * p.stride_width + (p.kernel_width - 1) * p.dilation_width + 1;
}

Extents padded_extents(const Plan& plan) {
  const Problem& p = plan.problem;
  int rows = std::max(pixels_of(p, 'H', p.out_height()), p.pad_top + p.height);
  int columns = std::max(pixels_of(p, 'W', reach(plan)), p.pad_left + p.width);
  const auto block = plan.padding == Padding::rows ? row_block(plan) : std::nullopt;
  if (block && block->dimension == 'H') rows = pixels_of(p, 'H', block->outputs);
  if (block && block->dimension == 'W') columns = pixels_of(p, 'W', with_overhang(plan, block->outputs));
  return {{{'H', rows}, {'W', columns}, {'C', p.channels}}};
}

}  // namespace convscope::cpu
