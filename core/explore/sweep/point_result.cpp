#include "core/explore/sweep/point_result.h"

namespace convscope::explore {

std::optional<double> objective_value(const PointResult& result, std::string_view objective) {
  if (result.status != PointStatus::done) return std::nullopt;
  const Figures& f = result.total;
  if (objective == "seconds") return f.seconds;
  if (objective == "cycles") return f.cycles;
  if (objective == "utilization") return f.utilization;
  if (objective == "bytes") return f.bytes();
  if (objective == "bytes_in") return f.bytes_in;
  if (objective == "bytes_out") return f.bytes_out;
  if (objective == "bytes_weights") return f.bytes_weights;
  if (objective == "mac_units") return result.cost.mac_units;
  if (objective == "on_chip_bits") return result.cost.on_chip_bits;
  if (objective == "instruction_bits") return result.cost.instruction_bits;
  if (objective == "memory_ports") return result.cost.memory_ports;
  return std::nullopt;
}

}  // namespace convscope::explore
