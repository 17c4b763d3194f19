// Register tile, operand, tail, unrolling.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cpu/tree/levels.h"
#include "core/cpu/tree/registers.h"
#include "core/cpu/tree/size.h"

namespace convscope::cpu {
namespace {

constexpr int most_pixels = 28, least_tile = 4;
/// An iteration of so many hides what its loop takes; more of them only take longer to compile.
constexpr int long_iteration = 64;

int vectors_needed(const Plan& plan) {
  return (plan.kernels() + plan.lanes() - 1) / plan.lanes();
}

std::string layout_fault(const Plan& plan, int vectors) {
  if (plan.weights.blocked == 0) return {};
  const int blocks = plan.weights.block / plan.lanes();
  return blocks == 1 || blocks == vectors ? "" : "the layout's blocks have other vectors";
}

std::string tile_fault(const Plan& plan, int pixels, int vectors) {
  const int width = plan.problem.out_width();
  const int largest = std::min(width, most_pixels) * std::min(vectors_needed(plan), most_vectors);
  if (pixels > width) return fmt::format("a row has {} pixels", width);
  if (vectors > vectors_needed(plan)) return fmt::format("the kernels fill {} vectors", vectors_needed(plan));
  if (pixels * vectors < std::min(least_tile, largest)) return "too few sums to hide the latency of an FMA";
  if (plan.kernel->strategy == Strategy::outer_lanes && pixels % 4 != 0 && pixels != width)
    return "pixels come in vectors of four";
  if (registers_of(plan, pixels, vectors) > plan.family->registers)
    return fmt::format("it takes {} of {} registers", registers_of(plan, pixels, vectors), plan.family->registers);
  return layout_fault(plan, vectors);
}

double tile_weight(int pixels, int vectors) {
  const double reuse = static_cast<double>(pixels * vectors) / (pixels + vectors);
  return reuse * reuse;
}

std::string operand_fault(const Plan& plan, const std::string& operand) {
  if (operand == "embedded")
    return has_512_bits(plan.family->family) ? "" : "only AVX-512 broadcasts inside an instruction";
  if (plan.kernel->strategy != Strategy::wmc) return {};
  Plan broadcasting = plan;
  broadcasting.operand = "broadcast";
  const bool fits = registers_of(broadcasting, plan.pixels, plan.vectors) <= plan.family->registers;
  if (operand == "held") return fits ? "registers are left for the weights of all vectors" : "";
  return fits ? "" : "no register is left for the element";
}

std::string tail_fault(const Plan& plan, Tail tail) {
  const int lanes = plan.kernel_lanes(), left = plan.kernels() % lanes;
  const bool padded = plan.weights.blocked == 'M';
  const bool outer = plan.kernel->strategy == Strategy::outer;
  if (lanes == 1 || left == 0) return tail == Tail::none ? "" : "vectors divide the kernels";
  if (tail == Tail::none) return fmt::format("{} kernels are left over", left);
  if ((tail == Tail::masked || tail == Tail::shared) && !padded)
    return "a whole vector would be read beyond the kernels; blocks are filled up";
  if (outer && tail != Tail::masked) return "its kernels come in whole vectors";
  if (tail == Tail::masked && plan.kernel->strategy == Strategy::depthwise) return "pixels have no more channels";
  if (tail != Tail::shared) return {};
  if (!has_512_bits(plan.family->family) || plan.kernel->strategy != Strategy::wmc)
    return "only W-M-C on AVX-512 shares a vector";
  return left > lanes / 2 ? "more than half a vector is left over" : "";
}

std::string unroll_fault(const Plan& plan, int factor) {
  if (factor == 1) return {};
  const std::int64_t trips = innermost_iterations(plan);
  if (factor > trips) return fmt::format("the loop has {} iterations", trips);
  Plan chosen = plan;
  chosen.unroll = factor;
  return size_fault(chosen);
}

}  // namespace

std::vector<Option> tile_options(const LevelInput& in) {
  const Plan& plan = in.plan;
  if (plan.kernel->strategy == Strategy::outer) return {option(fmt::format("{}x1", plan.lanes()), 1)};
  if (!plan.kernel->pixels) return {option("1x1", 1)};
  std::vector<Option> values;
  for (int pixels = 1; pixels <= most_pixels; ++pixels)
    for (int vectors = 1; vectors <= most_vectors; ++vectors)
      values.push_back(option(fmt::format("{}x{}", pixels, vectors), tile_weight(pixels, vectors),
                              tile_fault(plan, pixels, vectors)));
  return values;
}

std::vector<Option> operand_options(const LevelInput& in) {
  std::vector<Option> values;
  for (const std::string& value : words(in.plan.kernel->operands))
    values.push_back(
        option(value, value == "embedded" ? in.weights.of("operand embedded") : 1, operand_fault(in.plan, value)));
  return values;
}

std::vector<Option> tail_options(const LevelInput& in) {
  return {option("none", 1, tail_fault(in.plan, Tail::none)), option("narrow", 1, tail_fault(in.plan, Tail::narrow)),
          option("scalar", in.weights.of("tail scalar"), tail_fault(in.plan, Tail::scalar)),
          option("masked", 1, tail_fault(in.plan, Tail::masked)),
          option("shared", in.weights.of("tail shared"), tail_fault(in.plan, Tail::shared))};
}

std::vector<Option> unroll_options(const LevelInput& in) {
  std::vector<Option> values;
  for (const int factor : {1, 2, 3, 4, 8}) {
    const bool long_already = factor > 1 && factor * in.plan.pixels * in.plan.vectors > long_iteration;
    values.push_back(option(fmt::format("{}", factor), long_already ? in.weights.of("unroll beyond 64 FMAs") : 1,
                            unroll_fault(in.plan, factor)));
  }
  return values;
}

}  // namespace convscope::cpu
