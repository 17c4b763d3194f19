#include "core/cpu/kernels/kernels.h"

namespace convscope::cpu {

Nodes microkernel_body(const Site& site) {
  switch (site.plan.kernel->strategy) {
    case Strategy::pairwise:
      return pairwise(site);
    case Strategy::parallel:
      return parallel_kernels(site);
    case Strategy::outer:
      return outer_product(site);
    case Strategy::depthwise:
      return depthwise(site);
    default:
      return register_tile(site);
  }
}

}  // namespace convscope::cpu
