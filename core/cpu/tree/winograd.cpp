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

Programs make_programs(int m, int r, const std::string& text) {
  Diagnostics ignored;
  const auto points = winograd::parse_points(text, m, r, ignored);
  auto matrices = points ? winograd::make_transform(m, r, *points, ignored) : std::nullopt;
  if (!matrices) return nullptr;
  auto input = winograd::linear_program(matrices->bt), output = winograd::linear_program(matrices->at);
  return std::make_shared<const WinogradPrograms>(
      WinogradPrograms{*std::move(matrices), std::move(input), std::move(output)});
}

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

TileGrid tile_grid(const Plan& plan) {
  const Problem& p = plan.convolution;
  TileGrid grid;
  grid.outputs_x = plan.outputs;
  grid.positions_x = winograd::input_length(plan.outputs, p.kernel_width);
  if (plan.kernel->method == Method::winograd_2d) {
    grid.outputs_y = plan.outputs;
    grid.positions_y = winograd::input_length(plan.outputs, p.kernel_height);
  } else {
    grid.halo = p.kernel_height - 1;
  }
  grid.rows = tiles(p.out_height(), grid.outputs_y);
  grid.columns = tiles(p.out_width(), grid.outputs_x);
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

std::int64_t block_bytes(const Problem& convolution, const TileGrid& grid, const TileBlocks& blocks) {
  const std::int64_t rows = blocks.rows.front().extent, columns = blocks.columns.front().extent;
  return 4 * std::int64_t{grid.positions_y} * grid.positions_x * columns *
         ((rows + grid.halo) * convolution.channels + rows * convolution.kernels);
}

KernelTransform kernel_transform(const Plan& plan) {
  if (!plan.winograd()) return {};
  const Problem& p = plan.convolution;
  KernelTransform transform;
  if (const auto x = winograd_programs(plan.outputs, p.kernel_width, plan.points)) {
    transform.columns = doubles(x->matrices.g);
    transform.error_growth = growth(x->matrices);
  }
  if (plan.kernel->method != Method::winograd_2d) return transform;
  transform.rows = transform.columns;
  transform.error_growth *= transform.error_growth;
  return transform;
}

}  // namespace convscope::cpu
