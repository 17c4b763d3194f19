#include "core/snowflake/plan/kernel_region.h"

namespace convscope::snowflake {

std::int64_t kernel_region_words_of(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  if (shape.kind == LayerKind::max_pool) return 0;
  if (shape.kind == LayerKind::average_pool) return round_up(shape.kernel_height * shape.kernel_width, machine.macs);
  const KernelShape kernels = kernel_shape(shape, mapping, machine);
  return std::int64_t{divide_up(kernels.slots, mapping.kernels_per_vmac)} * kernels.vmacs *
         kernels.tile_words(mapping.kernels_per_vmac, machine.macs);
}

void place_kernels(ProgramLayer& layer, std::vector<Region>& regions, const Mapping& mapping,
                   const ComputeMachine& machine) {
  const LayerShape shape = shape_of(layer, regions, machine, false);
  layer.kernels = {};
  if (shape.kind == LayerKind::max_pool) return;
  const KernelShape kernels = kernel_shape(shape, mapping, machine);
  layer.kernels.region = static_cast<int>(regions.size());
  layer.kernels.order = mapping.independent ? KernelOrder::independent : KernelOrder::cooperative;
  layer.kernels.vmacs = kernels.vmacs;
  layer.kernels.kernels_per_vmac = mapping.kernels_per_vmac;
  layer.kernels.span = kernels.taps ? kernels.span : 0;
  regions.push_back(
      {layer.name + " kernels", RegionKind::kernels, 0, kernel_region_words_of(shape, mapping, machine), 0, 0});
}

}  // namespace convscope::snowflake
