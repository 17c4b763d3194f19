#include "core/cpu/generate/nest_body.h"

#include <algorithm>

#include "core/base/integers.h"
#include "core/cpu/generate/stages.h"
#include "core/cpu/tree/next_weights.h"
#include "core/cpu/tree/registers.h"

namespace convscope::cpu {
namespace {

constexpr int independent = 16;  ///< sums of a loop that carries none on

/// FMAs of all vectors along M for one pixel, tap and channel, and the lanes they take.
struct Issue {
  double fmas = 0, lanes = 0;
};

void add_columns(const TileRun& run, int full, Issue& issue) {
  for (const Column& column : run.columns) {
    const double share = column.shared ? .5 : 1;  // a vector for two pixels
    issue.fmas += run.count * share;
    issue.lanes += run.count * share * (column.shared ? full : column.lanes);
  }
}

Issue columns(const Plan& plan) {
  Issue issue;
  for (const TileRun& run : kernel_runs(plan)) add_columns(run, plan.lanes(), issue);
  return issue;
}

/// Along C for one kernel, pixel and tap: whole vectors, then single channels.
Issue pairs(const Plan& plan) {
  const int channels = plan.problem.group_channels(), lanes = plan.lanes();
  const int fmas = channels / lanes + channels % lanes;
  return {static_cast<double>(fmas), static_cast<double>(channels)};
}

double taps(const Plan& plan) {
  const Problem& p = plan.problem;
  if (plan.padding == Padding::peeled || plan.padding == Padding::tests)
    return static_cast<double>(valid_rows(p)) * static_cast<double>(valid_columns(p));
  return static_cast<double>(p.out_height()) * p.out_width() * p.kernel_height * p.kernel_width;
}

/// All FMAs of the program.
Issue total(const Plan& plan) {
  const Problem& p = plan.problem;
  const bool pairwise = plan.kernel->strategy == Strategy::pairwise;
  const Issue one = pairwise ? pairs(plan) : columns(plan);
  double times = taps(plan) * plan.groups() * (pairwise ? plan.kernels() : p.group_channels());
  if (plan.kernel->strategy != Strategy::outer) return {one.fmas * times, one.lanes * times};
  // A tile of the outer product takes as many FMAs for its vector of pixels as the vector has lanes, and so of kernels.
  const std::int64_t pixels = divide_up(p.out_width(), plan.lanes()) * plan.lanes();
  times *= static_cast<double>(pixels) / p.out_width();
  return {one.fmas * times, one.lanes * times};
}

NestBody body_of(const Plan& plan, const Nest& nest) {
  const int pixels = nest.pixels, vectors = nest.vectors, sums = pixels * vectors;
  const std::vector<Column> tile = kernel_runs(plan).front().columns;
  const int pairs = !tile.empty() && tile.back().shared ? (pixels + 1) / 2 : 0;
  const int fmas = pairs > 0 ? sums - pixels + pairs : sums;
  switch (plan.kernel->strategy) {
    case Strategy::pairwise:
      return {1, 2, 0, 0, 0, 1, 3};
    case Strategy::parallel:
      return plan.kernel->loops == "M" ? NestBody{1, 2, 0, 1, 0, independent, 3} : NestBody{1, 1, 1, 0, 0, 1, 3};
    case Strategy::outer:
      return {nest.lanes, 2, 0, 0, nest.lanes - 1, nest.lanes, nest.lanes + nest.lanes / 4 + 2};
    case Strategy::outer_lanes:
      return {sums, vectors + (pixels + 3) / 4, 0, 0, 0, sums, registers_of(plan, pixels, vectors)};
    case Strategy::wmc_lanes:
      return {2 * sums, 2 * vectors + pixels, 0, 0, 0, sums, registers_of(plan, pixels, vectors)};
    case Strategy::depthwise:
      return {sums, vectors + sums, 0, 0, 0, sums, registers_of(plan, pixels, vectors)};
    default:
      break;
  }
  const int broadcasts = plan.operand == "embedded" && pairs == 0 ? sums : pixels;
  return {fmas, vectors, broadcasts, 0, pairs, fmas, registers_of(plan, pixels, vectors)};
}

/// Loads of weights in the body.
int loads_of_weights(const Plan& plan, int vectors) {
  switch (plan.kernel->strategy) {
    case Strategy::pairwise:
    case Strategy::parallel:
    case Strategy::outer:
      return 1;
    case Strategy::wmc_lanes:
      return 2 * vectors;
    default:
      return vectors;
  }
}

/// Lines that the pointers ask for ahead as they go on to the next channel (memory.cpp). Winograd's products are taken
/// as asking for none.
double prefetches(const Plan& plan) {
  if (plan.prefetches_next) return next_weights_lines(plan) / plan.unroll;
  if (plan.prefetch == 0 || plan.winograd()) return 0;
  const Problem& p = plan.problem;
  const auto lines = [&](const Layout& layout, const Extents& extents) {
    const bool vectors = layout.blocked == 'M' && plan.kernel->strategy != Strategy::pairwise;
    const std::int64_t step = vectors ? layout.block : stride(layout, extents, 'C');
    return std::min<std::int64_t>(step * plan.unroll * layout.storage.bytes / prefetched_line, most_prefetched);
  };
  return static_cast<double>(lines(plan.image, p.image()) + lines(plan.weights, p.kernel())) / plan.unroll;
}

}  // namespace

void count_instructions(const Plan& plan, Nest& nest) {
  nest.body = body_of(plan, nest);
  nest.body.prefetches = prefetches(plan);
  nest.body.weights = loads_of_weights(plan, nest.vectors);
  const Issue all = total(plan);
  nest.iterations = all.fmas / nest.body.fmas;
  nest.fma_lanes = all.lanes;
  nest.calls = 1;
  for (const NestLoop& loop : nest.loops)
    if (loop.place == NestLoop::Place::outside) nest.calls *= static_cast<double>(loop.trips);
}

}  // namespace convscope::cpu
