#include <algorithm>

#include "core/figures/snowflake/ablation_runs.h"
#include "core/snowflake/plan/tiles.h"

namespace convscope::figures {

void fill_kernel_bank(const MappedLayer& l, snowflake::Mapping& mapping) {
  const snowflake::LayerShape shape = snowflake::shape_of(l.layer, l.regions, l.machine, mapping.by_position);
  if (shape.pool() || mapping.single) return;
  const snowflake::KernelShape kernels = snowflake::kernel_shape(shape, mapping, l.machine);
  const int fit = std::min(l.machine.kernel_bank_words / kernels.kernel_words,
                           l.machine.bias_words / std::max(1, kernels.bias_words));
  mapping.kernels_per_vmac = std::clamp(fit, 1, std::max(1, kernels.slots));
}

void first_independent(const MappedLayer& l, snowflake::Mapping& mapping) {
  if (!l.first) return;
  snowflake::Mapping other;
  other.independent = other.split = true;
  other.form = snowflake::TraceForm::unrolled;
  const snowflake::LayerShape shape = snowflake::shape_of(l.layer, l.regions, l.machine, false);
  const snowflake::KernelShape kernels = snowflake::kernel_shape(shape, other, l.machine);
  other.single = kernels.kernel_words > l.machine.kernel_bank_words;
  const bool fits = kernels.slots == 1 && kernels.tile_words(1, l.machine.macs) <= 2 * l.machine.kernel_bank_stride();
  if ((other.single && !fits) || !snowflake::largest_tiles(shape, other, l.machine)) return;
  mapping = other;
}

void without_bypass(snowflake::ParsedNetwork& network) {
  for (snowflake::ParsedLayer& parsed : network.layers) parsed.layer.bypass = {};
}

}  // namespace convscope::figures
