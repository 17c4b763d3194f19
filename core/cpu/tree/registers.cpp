#include "core/cpu/tree/registers.h"

namespace convscope::cpu {

namespace {

/// Beside the sums, weights of all vectors and one pixel's element, none if it is embedded in the FMA; or the elements
/// of all pixels and one vector's weights. Until the operand is decided, the fewest that it may take.
int operands_of(const Plan& plan, int pixels, int vectors) {
  const bool open = plan.operand.empty();
  if (plan.operand == "embedded" || (open && has_512_bits(plan.family->family))) return vectors;
  if (plan.operand == "held" || (open && vectors > pixels)) return pixels + 1;
  return vectors + 1;
}

}  // namespace

int registers_of(const Plan& plan, int pixels, int vectors) {
  switch (plan.kernel->strategy) {
    case Strategy::wmc_lanes:
      return pixels * vectors + (pixels + 1) / 2 + vectors;  // float32x2: half a register
    case Strategy::outer_lanes:
      return pixels * vectors + (pixels + 3) / 4 + vectors;
    case Strategy::wmc:
      return pixels * vectors + operands_of(plan, pixels, vectors);
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
