#include "core/cpu/tree/registers.h"

namespace convscope::cpu {

namespace {

/// Until the operand is decided, AVX-512 may take none.
bool takes_broadcast(const Plan& plan) {
  if (plan.operand.empty()) return plan.family->family != Family::avx512;
  return plan.operand != "embedded";
}

}  // namespace

int registers_of(const Plan& plan, int pixels, int vectors) {
  switch (plan.kernel->strategy) {
    case Strategy::wmc_lanes:
      return pixels * vectors + (pixels + 1) / 2 + vectors;  // float32x2: half a register
    case Strategy::outer_lanes:
      return pixels * vectors + (pixels + 3) / 4 + vectors;
    case Strategy::wmc:
      return pixels * vectors + vectors + (takes_broadcast(plan) ? 1 : 0);
    default:
      return pixels * vectors + vectors + 1;
  }
}

std::int64_t innermost_iterations(const Plan& plan) {
  const Strategy strategy = plan.kernel->strategy;
  const int block = plan.block('C');
  const std::int64_t channels = block > 0 ? block : plan.problem.group_channels();
  if (strategy == Strategy::depthwise) return 1;
  if (plan.kernel->loops == "M") return (plan.block('M') > 0 ? plan.block('M') : plan.kernels()) / plan.lanes();
  if (strategy == Strategy::pairwise) return channels / plan.lanes();
  return strategy == Strategy::wmc_lanes ? channels / 2 : channels;
}

}  // namespace convscope::cpu
