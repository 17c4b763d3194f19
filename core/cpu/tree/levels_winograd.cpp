// Transform, points, what is left beyond whole tiles, blocks of tiles, and how tiles get the values that the image
// doesn't have.

#include <algorithm>

#include <fmt/format.h>

#include "core/cpu/tree/expected_error.h"
#include "core/cpu/tree/levels.h"
#include "core/cpu/tree/size.h"
#include "core/cpu/tree/transform_error.h"
#include "core/cpu/tree/winograd.h"

namespace convscope::cpu {
namespace {

constexpr int block_sizes[] = {14, 28, 56, 84};

/// Where more is expected than is asked for.
std::string error_fault(const LevelInput& in, int outputs, const std::string& points, const ChannelSums& sums) {
  const Accuracy& asked = in.machine.accuracy;
  if (asked.bound <= 0) return {};
  const Problem& p = in.problem;
  const bool both = in.plan.kernel->method == Method::winograd_2d;
  const double all = static_cast<double>(p.out_height()) * p.out_width() * p.kernels;
  const double error = expected_error(transform_error(outputs, p.kernel_width, points, both, p.stored.weights),
                                      asked.metric, all / (both ? outputs * outputs : outputs), sums);
  if (error <= asked.bound) return {};
  return fmt::format("an error of {:.2g} ({}) is expected, {:.2g} is asked for", error, key(asked.metric), asked.bound);
}

std::string transform_fault(const LevelInput& in, int outputs) {
  const Problem& p = in.problem;
  std::string fault;
  for (const std::string& points : point_choices(outputs, p.kernel_width)) {
    fault = error_fault(in, outputs, points, ChannelSums::best(p.channels));
    if (fault.empty()) break;
  }
  if (!fault.empty()) return "with the points that are known " + fault;
  return outputs >= p.out_width() + p.kernel_width - 1 ? fmt::format("a row has {} outputs", p.out_width()) : "";
}

/// 0 tiles: all.
std::int64_t bytes_of_blocks(const LevelInput& in, int tiles) {
  Plan plan = in.plan;
  plan.block_tiles = tiles;
  return block_room(plan).bytes(in.problem);
}

std::string partial_fault(const Plan& plan, Partial partial) {
  Plan chosen = plan;
  chosen.partial = partial;
  const std::vector<TilePart> parts = tile_parts(chosen);
  if (parts.front().height == 0 || parts.front().width == 0) return "no tile is whole";
  const TilePart& last = parts.back();
  const bool smaller = (last.x.position > 0 && last.x.outputs > 1) || (last.y.position > 0 && last.y.outputs > 1);
  return partial == Partial::smaller && !smaller ? "a row or column is left: that is direct" : "";
}

std::string blocks_fault(const LevelInput& in, int tiles) {
  const TileGrid grid = tile_grid(in.plan);
  if (tiles >= grid.rows * grid.columns) return fmt::format("there are {} tiles", grid.rows * grid.columns);
  const std::int64_t bytes = bytes_of_blocks(in, tiles);
  if (bytes <= in.machine.temporary_bytes) return {};
  return fmt::format("it takes {} bytes of temporary memory, more than {}", bytes, in.machine.temporary_bytes);
}

/// Whether some tile takes pixels that the image doesn't have.
bool reaches_beyond(const Plan& plan) {
  const Problem& p = plan.convolution;
  const auto reach = [](int first, int tiles, int outputs, int taps) { return first + tiles * outputs + taps - 1; };
  const std::vector<TilePart> parts = tile_parts(plan);
  return p.pad_top + p.pad_left > 0 || std::any_of(parts.begin(), parts.end(), [&](const TilePart& part) {
           const TileGrid grid = tile_grid(with_part(plan, part));
           return reach(grid.top, grid.rows, grid.outputs_y, p.kernel_height) > p.pad_top + p.height ||
                  reach(grid.left, grid.columns, grid.outputs_x, p.kernel_width) > p.pad_left + p.width;
         });
}

std::string tile_padding_fault(const Plan& plan, Padding padding) {
  const bool needed = reaches_beyond(plan);
  if (padding == Padding::none) return needed ? "tiles reach beyond the image" : "";
  if (!needed) return "nothing reaches beyond the image";
  Plan chosen = plan;
  chosen.padding = padding;
  return size_fault(chosen);
}

}  // namespace

std::vector<Option> transform_options(const LevelInput& in) {
  std::vector<Option> values;
  for (int outputs = 2; outputs <= winograd::most_outputs; ++outputs)
    values.push_back(option(fmt::format("{}", outputs), outputs == 4 ? in.weights.of("transform of 4 outputs") : 1,
                            transform_fault(in, outputs)));
  return values;
}

std::vector<Option> point_options(const LevelInput& in) {
  std::vector<Option> values;
  for (const std::string& points : point_choices(in.plan.outputs, in.problem.kernel_width))
    values.push_back(option(points, values.empty() ? in.weights.of("points accurate") : 1,
                            error_fault(in, in.plan.outputs, points, ChannelSums::best(in.problem.channels))));
  return values;
}

std::vector<Option> partial_options(const LevelInput& in) {
  return {option("discard", 1), option("direct", 1, partial_fault(in.plan, Partial::direct)),
          option("smaller", 1, partial_fault(in.plan, Partial::smaller))};
}

std::vector<Option> block_of_tiles_options(const LevelInput& in) {
  std::vector<Option> values;
  for (const int tiles : block_sizes) values.push_back(option(fmt::format("{}", tiles), 1, blocks_fault(in, tiles)));
  const std::int64_t bytes = bytes_of_blocks(in, 0);
  const bool fits = bytes <= in.machine.temporary_bytes;
  values.push_back(option("all", 1, fits ? "" : fmt::format("it takes {} bytes of temporary memory", bytes)));
  return values;
}

std::vector<Option> tile_padding_options(const LevelInput& in) {
  const auto fault = [&](Padding padding) { return tile_padding_fault(in.plan, padding); };
  return {option("none", 1, fault(Padding::none)), option("peeled", 1, fault(Padding::peeled)),
          option("tile", 1, fault(Padding::tile)), option("indirection", 1, fault(Padding::indirection))};
}

std::string chain_fault(const LevelInput& in, int channels) {
  const ChannelSums sums{static_cast<double>(in.problem.channels), static_cast<double>(channels)};
  return in.plan.winograd() ? error_fault(in, in.plan.outputs, in.plan.points, sums) : "";
}

}  // namespace convscope::cpu
