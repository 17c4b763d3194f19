#include "core/nmp/operators/fused_sums.h"

#include "core/nmp/generate/generate.h"

namespace convscope::nmp {
namespace {

/// Whether there is one for this tiling.
bool has_program(const Convolution& c, const Machine& m, const Solution& s) {
  return why_no_program(c, usual_computing(c), with_doubled(m, s.doubled), s.tiling).empty();
}

}  // namespace

bool saves_time(const network::Layer& layer, const OperatorUse& sum, const Machine& machine, CostLevel level,
                target::PassCache& cache, const std::stop_token& stop) {
  std::string reason;
  auto convolution = convolution_of(layer, reason);
  if (!convolution) return false;
  use_percept(*convolution, machine);
  Convolution with_sum = *convolution;
  with_sum.residual = true;
  const OperatorWork added = solve_operator(sum, machine, level, cache, stop);
  const auto alone = solve(*convolution, machine, {level, {}, {}}, cache, stop);
  const auto fused = solve(with_sum, machine, {level, {}, {}}, cache, stop);
  for (const Solution* s : {added.solution.get(), alone.get(), fused.get()})
    if (!s->reason.empty()) return false;
  if (has_program(*convolution, machine, *alone) && !has_program(with_sum, machine, *fused)) return false;
  return fused->seconds.total() < alone->seconds.total() + added.solution->seconds.total();
}

}  // namespace convscope::nmp
