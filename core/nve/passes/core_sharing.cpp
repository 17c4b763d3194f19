#include "core/nve/passes/core_sharing.h"

#include <algorithm>

namespace convscope::nve {

Sharing sharing_of(const Machine& machine) {
  const double word_bytes = static_cast<double>(machine.port_bits) / 8;
  Sharing sharing{machine.cores, word_bytes / machine.bandwidth * machine.clock_hz, 0, 0};
  if (machine.transfer_mode == TransferMode::host_reordered)
    sharing.pixel_word_cycles = word_bytes / machine.host_copy_bandwidth * machine.clock_hz;
  if (machine.transfer_mode == TransferMode::scatter_gather) sharing.column_cycles = machine.descriptor_cycles;
  return sharing;
}

std::int64_t busiest_core(std::vector<std::int64_t> cycles, int cores) {
  std::sort(cycles.rbegin(), cycles.rend());
  std::vector<std::int64_t> load(static_cast<std::size_t>(cores), 0);
  for (std::int64_t program : cycles) *std::min_element(load.begin(), load.end()) += program;
  return *std::max_element(load.begin(), load.end());
}

}  // namespace convscope::nve
