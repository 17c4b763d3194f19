#include <algorithm>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {
namespace {

/// As many parts of `most` as there are, then what is left.
std::vector<TileRun> full_first(int total, int most) {
  std::vector<TileRun> runs;
  if (total >= most) runs.push_back({0, most, total / most, {}});
  if (total % most > 0) runs.push_back({total - total % most, total % most, 1, {}});
  return runs;
}

std::vector<Column> vectors(int count, int lanes) {
  std::vector<Column> columns;
  for (int v = 0; v < count; ++v) columns.push_back({v * lanes, lanes, lanes, false});
  return columns;
}

/// Columns of the kernels beyond the last full vector.
std::vector<Column> tail_columns(Tail tail, int kernels, int lanes) {
  if (tail == Tail::masked) return {{0, lanes, kernels, false}};
  if (tail == Tail::shared) return {{0, lanes / 2, kernels, true}};
  std::vector<Column> columns;
  int width = tail == Tail::scalar ? 1 : lanes / 2;
  for (int at = 0; at < kernels; at += columns.back().lanes) {
    while (width > 1 && (width > kernels - at || width == 2)) width /= 2;
    columns.push_back({at, width, width, false});
  }
  return columns;
}

/// Whether the tail is one vector more of the last tile.
bool joins(const Plan& plan, const TileRun& last, int lanes) {
  const bool one = plan.tail == Tail::masked || plan.tail == Tail::shared;
  return one && last.extent / lanes < plan.vectors;
}

void append_tail(const Plan& plan, std::vector<TileRun>& runs, int full, int lanes) {
  const int kernels = plan.kernels() - full * lanes;
  std::vector<Column> columns = tail_columns(plan.tail, kernels, lanes);
  if (runs.empty() || !joins(plan, runs.back(), lanes)) {
    runs.push_back({full * lanes, kernels, 1, std::move(columns)});
    return;
  }
  TileRun last = runs.back();
  if (--runs.back().count == 0) runs.pop_back();
  last.begin += (last.count - 1) * last.extent;
  last.count = 1;
  columns.front().offset = last.extent;
  last.columns.push_back(columns.front());
  last.extent += kernels;
  runs.push_back(std::move(last));
}

}  // namespace

std::vector<TileRun> near_equal(int total, int most) {
  const int parts = (total + most - 1) / most, small = total / parts, large_count = total % parts;
  std::vector<TileRun> runs;
  if (large_count > 0) runs.push_back({0, small + 1, large_count, {}});
  runs.push_back({large_count * (small + 1), small, parts - large_count, {}});
  return runs;
}

std::vector<TileRun> pixel_runs(const Plan& plan) {
  const Strategy strategy = plan.kernel->strategy;
  const bool vectors_along_w = strategy == Strategy::outer || strategy == Strategy::outer_lanes;
  return vectors_along_w ? full_first(plan.problem.out_width(), plan.pixels)
                         : near_equal(plan.problem.out_width(), plan.pixels);
}

std::vector<TileRun> kernel_runs(const Plan& plan) {
  const int lanes = plan.kernel_lanes(), full = plan.kernels() / lanes;
  const bool blocks = plan.weights.blocked == 'M' && plan.weights.block == plan.vectors * lanes;
  std::vector<TileRun> runs;
  if (full > 0) runs = blocks ? full_first(full, plan.vectors) : near_equal(full, plan.vectors);
  for (TileRun& run : runs) {
    run.columns = vectors(run.extent, lanes);
    run.begin *= lanes;
    run.extent *= lanes;
  }
  if (plan.kernels() > full * lanes) append_tail(plan, runs, full, lanes);
  return runs;
}

}  // namespace convscope::cpu
