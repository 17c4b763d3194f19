#include "core/cpu/tree/next_weights.h"

#include <algorithm>

#include "core/cpu/tree/loops.h"

namespace convscope::cpu {
namespace {

/// Of weights that an iteration of the unrolled loop over channels reads: vectors side by side.
std::int64_t lines_of_iteration(const Plan& plan) {
  return std::int64_t{plan.weights.block} * plan.unroll * plan.weights.storage.bytes / prefetched_line;
}

bool over_pixels(const LoopSpec& loop) {
  return loop.dimension == 'H' || loop.dimension == 'W';
}

/// Calls one after the other that read the same weights.
std::int64_t calls_with_same_weights(const Plan& plan) {
  const std::vector<LoopSpec> loops = loop_list(plan);
  std::int64_t calls = 1;
  for (auto name = plan.order.rbegin(); name != plan.order.rend(); ++name) {
    const LoopSpec* loop = find_loop(loops, *name);
    if (loop == nullptr || !over_pixels(*loop)) break;
    calls *= loop->trips;
  }
  return calls;
}

}  // namespace

double next_weights_lines(const Plan& plan) {
  const std::int64_t calls = calls_with_same_weights(plan), lines = lines_of_iteration(plan);
  if (calls > lines) return static_cast<double>(lines) / static_cast<double>(calls);
  const std::int64_t share = (lines + calls - 1) / calls;
  return static_cast<double>(share);
}

std::string next_weights_fault(const Plan& plan) {
  if (plan.kernel->strategy != Strategy::wmc || plan.weights.blocked != 'M' || !plan.inside('C'))
    return "the microkernel doesn't go through blocks of weights along C";
  if (plan.weights.block < plan.vectors * plan.lanes()) return "a tile takes several blocks of weights";
  if (calls_with_same_weights(plan) < 2) return "no two calls in a row read the same weights";
  if (lines_of_iteration(plan) < 1) return "an iteration reads less than a line of weights";
  const std::vector<LoopSpec> loops = loop_list(plan);
  const bool all = std::all_of(plan.order.begin(), plan.order.end(), [&](const std::string& name) {
    const LoopSpec* loop = find_loop(loops, name);
    return loop == nullptr || over_pixels(*loop);
  });
  return all && !plan.winograd() ? "all calls read the same weights" : "";
}

}  // namespace convscope::cpu
