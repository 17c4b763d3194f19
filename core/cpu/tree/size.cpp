#include "core/cpu/tree/size.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr std::int64_t around = 20;  ///< lines around a loop's body: heads, pointers, their steps

/// Lines of one channel of a tile, and those that define and store its sums.
struct Body {
  std::int64_t channel = 0, sums = 0;
};

Body tile_body(const Plan& plan, std::int64_t pixels, const TileRun& kernels) {
  const auto columns = static_cast<std::int64_t>(kernels.columns.size());
  const bool shared = !kernels.columns.empty() && kernels.columns.back().shared;
  const std::int64_t sums = 2 * pixels * columns;
  switch (plan.kernel->strategy) {
    case Strategy::outer:
      return {2 * plan.lanes(), 6 * plan.lanes()};
    case Strategy::wmc_lanes:
      return {2 * columns + pixels * (1 + 2 * columns), sums};
    case Strategy::depthwise:
      return {columns + 2 * pixels * columns, sums};
    default:
      return {columns + pixels * (columns + (shared ? 6 : plan.operand == "held" ? 4 : 2)), sums};
  }
}

/// Pixels of a tile that a tap finds inside the image: the first, and one behind the last.
using Valid = std::pair<int, int>;

Valid valid_pixels(const Problem& p, int begin, int extent, int tap) {
  const auto inside = [&](int r) {
    const int column = (begin + r) * p.stride_width + tap * p.dilation_width - p.pad_left;
    return column >= 0 && column < p.width;
  };
  Valid valid{0, extent};
  while (valid.first < extent && !inside(valid.first)) ++valid.first;
  while (valid.second > valid.first && !inside(valid.second - 1)) --valid.second;
  return valid.first == extent ? Valid{extent, extent} : valid;
}

using Taps = std::vector<Valid>;  ///< along X

Taps taps_of(const Problem& p, int begin, int extent) {
  Taps taps;
  for (int x = 0; x < p.kernel_width; ++x) taps.push_back(valid_pixels(p, begin, extent, x));
  return taps;
}

/// Equal neighbours are one loop, taps that no pixel has none.
std::int64_t loops_over(Taps taps) {
  taps.erase(std::unique(taps.begin(), taps.end()), taps.end());
  return std::count_if(taps.begin(), taps.end(), [](const Valid& valid) { return valid.first < valid.second; });
}

/// Bodies that a run of tiles becomes where its padding is peeled. Looks at the first and last tiles: those between are
/// alike, or more than matter.
std::int64_t peeled_copies(const Plan& plan, const TileRun& run) {
  constexpr int edge = 64;
  std::set<Taps> tiles;
  for (int i = 0; i < run.count; ++i) {
    if (i == edge) i = std::max(edge, run.count - edge);
    const Taps taps = taps_of(plan.problem, run.begin + i * run.extent, run.extent);
    if (plan.inside('X'))
      tiles.insert(taps);
    else
      for (const Valid& tap : taps) tiles.insert({tap});
  }
  std::int64_t copies = 0;
  for (const Taps& taps : tiles) copies += loops_over(taps);
  return copies;
}

/// Loops over channels of the kernels that a microkernel keeps inside: one, and one for each vector of the tail.
std::int64_t parallel_lines(const Plan& plan) {
  const std::vector<TileRun> runs = kernel_runs(plan);
  const std::int64_t loops = 1 + (runs.size() > 1 ? static_cast<std::int64_t>(runs.back().columns.size()) : 0);
  return loops * (4 * (plan.unroll + 1) + around);
}

std::int64_t tile_lines(const Plan& plan, int pixels, bool tests) {
  if (plan.kernel->strategy == Strategy::pairwise) return 6 * (plan.unroll + 1) + 2 * around;
  if (plan.inside('M')) return parallel_lines(plan);
  std::int64_t lines = 0;
  for (const TileRun& kernels : kernel_runs(plan)) {
    const Body body = tile_body(plan, pixels, kernels);
    const std::int64_t channel = body.channel + (tests ? 4 * pixels : 0), rest = plan.unroll > 1 ? 1 : 0;
    lines += channel * (plan.unroll + rest) + body.sums + around;
  }
  return lines;
}

/// Vectors of all widths that elements are made of: loops of their own.
std::int64_t widths(int elements, int lanes) {
  std::int64_t count = 0;
  for (int width = lanes, left = elements; left > 0; width = width == 4 ? 1 : width / 2) {
    count += left >= width ? 1 : 0;
    left %= width;
  }
  return count;
}

/// Copies of a transform by the tiles along a dimension that miss some of their pixels: first, inner, last ones.
std::int64_t kinds_of_tiles(int tiles) {
  return std::min(tiles, 4);
}

/// Of one part's tiles.
std::int64_t transform_lines(const Plan& plan, const TilePart& part) {
  const TileGrid grid = tile_grid(with_part(plan, part));
  const SidePrograms programs = side_programs(plan, part);
  if (!programs.x) return 0;
  const auto steps = [](const auto& side, auto program) { return side ? ((*side).*program).operations() : 0; };
  const std::int64_t positions = std::int64_t{grid.positions_y} * grid.positions_x;
  const std::int64_t input = std::int64_t{steps(programs.x, &WinogradPrograms::input)} * grid.positions_y +
                             std::int64_t{steps(programs.y, &WinogradPrograms::input)} * grid.positions_x;
  const std::int64_t output = std::int64_t{steps(programs.x, &WinogradPrograms::output)} * grid.outputs_y +
                              std::int64_t{steps(programs.y, &WinogradPrograms::output)} * grid.positions_x;
  const std::int64_t kinds =
      plan.padding == Padding::peeled ? kinds_of_tiles(grid.rows) * kinds_of_tiles(grid.columns) : 1;
  const std::int64_t edges = (part.height % grid.outputs_y != 0 ? 2 : 1) * (part.width % grid.outputs_x != 0 ? 2 : 1);
  return (2 * positions + input) * kinds * widths(plan.convolution.channels, plan.lanes()) +
         (positions + output + std::int64_t{grid.outputs_y} * grid.outputs_x) * edges *
             widths(plan.convolution.kernels, plan.lanes());
}

}  // namespace

std::int64_t estimated_lines(const Plan& plan) {
  std::int64_t lines = 0;
  for (const TileRun& run : pixel_runs(plan)) {
    const std::int64_t copies = plan.padding == Padding::peeled ? peeled_copies(plan, run) : 1;
    lines += copies * tile_lines(plan, run.extent, plan.padding == Padding::tests);
  }
  if (!plan.winograd()) return lines;
  const std::vector<TilePart> parts = tile_parts(plan);
  lines *= static_cast<std::int64_t>(parts.size());
  for (const TilePart& part : parts) lines += transform_lines(plan, part);
  return lines;
}

std::string size_fault(const Plan& plan) {
  const std::int64_t lines = estimated_lines(plan);
  return lines <= most_lines ? "" : fmt::format("the source would have {} lines, more than {}", lines, most_lines);
}

}  // namespace convscope::cpu
