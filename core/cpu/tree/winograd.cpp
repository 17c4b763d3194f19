#include "core/cpu/tree/winograd.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

namespace convscope::cpu {
namespace {

using winograd::Matrix;
using winograd::Points;

using Programs = std::shared_ptr<const WinogradPrograms>;

/// Plain sums: inputs and weights as they are, products added.
winograd::Transform plain_sums(int r) {
  winograd::Transform plain{1, r, {}, Matrix(1, r), Matrix(r, r), Matrix(r, r)};
  for (int i = 0; i < r; ++i) plain.at.at(0, i) = plain.g.at(i, i) = plain.bt.at(i, i) = 1;
  return plain;
}

Programs programs_of(winograd::Transform matrices) {
  auto input = winograd::linear_program(matrices.bt), output = winograd::linear_program(matrices.at);
  return std::make_shared<const WinogradPrograms>(
      WinogradPrograms{std::move(matrices), std::move(input), std::move(output)});
}

Programs make_programs(int m, int r, const std::string& text) {
  if (m == 1) return programs_of(plain_sums(r));
  Diagnostics ignored;
  const auto points = winograd::parse_points(text, m, r, ignored);
  auto matrices = points ? winograd::make_transform(m, r, *points, ignored) : std::nullopt;
  return matrices ? programs_of(*std::move(matrices)) : nullptr;
}

bool both_dimensions(const Plan& plan) {
  return plan.kernel->method == Method::winograd_2d;
}

/// Outputs of one dimension that are made alike.
struct Segment {
  int begin = 0, extent = 0;
  TileSide side;
};

std::string path_text(const Points& points) {
  std::string text;
  for (const winograd::Rational& point : points) text += (text.empty() ? "" : ",") + winograd::text(point);
  return text;
}

/// Tiles of `outputs` each.
int tiles(int all, int outputs) {
  return (all + outputs - 1) / outputs;
}

KernelTransform::Matrix doubles(const Matrix& matrix) {
  KernelTransform::Matrix result(static_cast<std::size_t>(matrix.rows()));
  for (int i = 0; i < matrix.rows(); ++i)
    for (int j = 0; j < matrix.columns(); ++j)
      result[static_cast<std::size_t>(i)].push_back(winograd::to_double(matrix.at(i, j)));
  return result;
}

double row_squares(const Matrix& matrix, int row) {
  double sum = 0;
  for (int j = 0; j < matrix.columns(); ++j) sum += std::pow(winograd::to_double(matrix.at(row, j)), 2);
  return sum;
}

/// Of independent inputs and weights of one size: the largest root mean square of the terms of an output, over that of
/// the r products of a plain sum.
double growth(const winograd::Transform& t) {
  double most = 1;
  for (int i = 0; i < t.m; ++i) {
    double squares = 0;
    for (int j = 0; j < t.n(); ++j)
      squares += std::pow(winograd::to_double(t.at.at(i, j)), 2) * row_squares(t.g, j) * row_squares(t.bt, j);
    most = std::max(most, std::sqrt(squares / t.r));
  }
  return most;
}

std::vector<Segment> segments(const Plan& plan, int all, int taps) {
  const int rest = plan.partial == Partial::discard ? 0 : all % plan.outputs;
  std::vector<Segment> result{{0, all - rest, {plan.outputs, plan.points, 0}}};
  if (rest == 0) return result;
  const int outputs = plan.partial == Partial::direct ? 1 : rest;
  const std::string points = outputs > 1 ? path_text(winograd::accurate_points(outputs, taps)) : "";
  result.push_back({all - rest, rest, {outputs, points, winograd::input_length(plan.outputs, taps)}});
  return result;
}

std::vector<Segment> rows_of(const Plan& plan) {
  const Problem& p = plan.convolution;
  if (!both_dimensions(plan)) return {{0, p.out_height(), {1, "", 0}}};
  return segments(plan, p.out_height(), p.kernel_height);
}

std::vector<Segment> columns_of(const Plan& plan) {
  return segments(plan, plan.convolution.out_width(), plan.convolution.kernel_width);
}

/// Appends the segments' kernel matrices to `matrix`; by how much errors grow.
double stack_kernels(const std::vector<Segment>& segments, int taps, KernelTransform::Matrix& matrix) {
  double most = 1;
  for (const Segment& segment : segments) {
    const auto programs = winograd_programs(segment.side.outputs, taps, segment.side.points);
    if (!programs) continue;
    for (auto& row : doubles(programs->matrices.g)) matrix.push_back(std::move(row));
    most = std::max(most, growth(programs->matrices));
  }
  return most;
}

int sum_of_counts(const std::vector<TileRun>& runs) {
  int sum = 0;
  for (const TileRun& run : runs) sum += run.count;
  return sum;
}

}  // namespace

Programs winograd_programs(int m, int r, const std::string& points) {
  static std::mutex mutex;
  static std::map<std::tuple<int, int, std::string>, Programs> known;
  const std::lock_guard lock(mutex);
  const auto [found, fresh] = known.try_emplace({m, r, points});
  if (fresh) found->second = make_programs(m, r, points);
  return found->second;
}

std::vector<std::string> point_choices(int m, int r) {
  std::vector<std::string> choices{path_text(winograd::accurate_points(m, r))};
  const auto add = [&](const std::string& text) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) choices.push_back(text);
  };
  add(path_text(winograd::usual_points(m, r)));
  return choices;
}

std::vector<TilePart> tile_parts(const Plan& plan) {
  std::vector<TilePart> parts;
  for (const Segment& y : rows_of(plan))
    for (const Segment& x : columns_of(plan)) parts.push_back({y.begin, x.begin, y.extent, x.extent, y.side, x.side});
  return parts;
}

bool has_partial_tiles(const Plan& plan) {
  const Problem& p = plan.convolution;
  return p.out_width() % plan.outputs != 0 || (both_dimensions(plan) && p.out_height() % plan.outputs != 0);
}

Plan with_part(const Plan& plan, const TilePart& part) {
  Plan result = plan;
  result.part = part;
  return result;
}

SidePrograms side_programs(const Plan& plan, const TilePart& part) {
  const Problem& p = plan.convolution;
  return {both_dimensions(plan) ? winograd_programs(part.y.outputs, p.kernel_height, part.y.points) : nullptr,
          winograd_programs(part.x.outputs, p.kernel_width, part.x.points)};
}

TileGrid tile_grid(const Plan& plan) {
  const Problem& p = plan.convolution;
  const TilePart part = plan.part.height > 0 ? plan.part : tile_parts(plan).front();
  TileGrid grid;
  grid.top = part.top, grid.left = part.left;
  grid.outputs_x = part.x.outputs;
  grid.positions_x = winograd::input_length(part.x.outputs, p.kernel_width);
  if (both_dimensions(plan)) {
    grid.outputs_y = part.y.outputs;
    grid.positions_y = winograd::input_length(part.y.outputs, p.kernel_height);
  } else {
    grid.halo = p.kernel_height - 1;
  }
  grid.rows = tiles(part.height, grid.outputs_y);
  grid.columns = tiles(part.width, grid.outputs_x);
  return grid;
}

int TileBlocks::count() const {
  return sum_of_counts(rows) * sum_of_counts(columns);
}

int TileBlocks::largest_tiles() const {
  return rows.front().extent * columns.front().extent;
}

TileBlocks tile_blocks(const TileGrid& grid, int most) {
  if (most == 0) return {near_equal(grid.rows, grid.rows), near_equal(grid.columns, grid.columns)};
  return {near_equal(grid.rows, std::clamp(most / grid.columns, 1, grid.rows)),
          near_equal(grid.columns, std::min(most, grid.columns))};
}

Problem product_problem(const Problem& convolution, const TileGrid& grid, int rows, int columns) {
  Problem product;
  product.height = 1;
  product.width = (rows + grid.halo) * columns;
  product.channels = convolution.channels;
  product.kernels = convolution.kernels;
  product.kernel_width = grid.halo + 1;
  product.dilation_width = columns;
  product.threads = convolution.threads;
  return product;
}

TileBlocks part_blocks(const Plan& plan) {
  const TileBlocks first = tile_blocks(tile_grid(with_part(plan, tile_parts(plan).front())), plan.block_tiles);
  const bool behind = plan.part.x.position > 0 || plan.part.y.position > 0;
  return behind ? tile_blocks(tile_grid(plan), first.largest_tiles()) : first;
}

std::int64_t BlockRoom::bytes(const Problem& convolution) const {
  return 4 * std::int64_t{positions_y} * positions_x *
         (std::int64_t{inputs} * convolution.channels + std::int64_t{products} * convolution.kernels);
}

BlockRoom block_room(const Plan& plan) {
  BlockRoom room;
  for (const TilePart& part : tile_parts(plan)) {
    const TileGrid grid = tile_grid(with_part(plan, part));
    const TileBlocks blocks = part_blocks(with_part(plan, part));
    const int rows = blocks.rows.front().extent, columns = blocks.columns.front().extent;
    room.positions_y = std::max(room.positions_y, grid.positions_y);
    room.positions_x = std::max(room.positions_x, grid.positions_x);
    room.inputs = std::max(room.inputs, (rows + grid.halo) * columns);
    room.products = std::max(room.products, rows * columns);
  }
  return room;
}

KernelTransform kernel_transform(const Plan& plan) {
  if (!plan.winograd()) return {};
  const Problem& p = plan.convolution;
  KernelTransform transform;
  transform.error_growth = stack_kernels(columns_of(plan), p.kernel_width, transform.columns);
  if (both_dimensions(plan)) transform.error_growth *= stack_kernels(rows_of(plan), p.kernel_height, transform.rows);
  return transform;
}

}  // namespace convscope::cpu
