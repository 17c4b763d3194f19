#include "core/nmp/simulate/dram_cost.h"

#include "core/base/integers.h"
#include "core/dram/forms/banked.h"

namespace convscope::nmp::simulation {
namespace {

dram::Pattern pattern_of(const TransferShape& shape, std::uint32_t first_byte, bool store) {
  dram::Pattern p;
  p.start = first_byte;
  p.bytes = shape.row_bytes;
  p.runs = shape.rows;
  p.pitch = shape.row_pitch;
  p.maps = shape.maps;
  p.map_pitch = shape.map_pitch;
  p.write = store;
  if (p.empty()) return p;
  if (p.runs > 1 && p.pitch == p.bytes) {
    p.bytes *= p.runs;
    p.runs = 1;
  }
  // A map of one run may lie end to end with the next.
  if (p.maps > 1 && p.runs == 1 && p.map_pitch == p.bytes) {
    p.bytes *= p.maps;
    p.maps = 1;
  }
  return p;
}

}  // namespace

DramCost::DramCost(const Program& program)
    : machine_(program.machine),
      level_(program.level),
      parameters_(dram_of(program.machine.dram)),
      addresses_(parameters_.organization) {
  if (level_ == CostLevel::walk) walk_.emplace(parameters_);
}

double DramCost::seconds(const TransferShape& shape, std::uint32_t first_byte, bool store) {
  const dram::Pattern p = pattern_of(shape, first_byte, store);
  if (p.empty()) return 0;
  const double clock = parameters_.organization.clock_hz;
  if (walk_) return static_cast<double>(walk_->transfer(p)) / clock;
  if (level_ == CostLevel::banked) return dram::banked_cycles(p, parameters_, addresses_) / clock;
  const std::int64_t bursts = p.runs * p.maps * divide_up(p.bytes, machine_.burst_bytes);
  return static_cast<double>(p.useful_bytes()) / machine_.bandwidth +
         static_cast<double>(bursts) * machine_.cas_seconds;
}

std::int64_t DramCost::work(const TransferShape& shape) const {
  return level_ == CostLevel::walk ? shape.size() : 1;
}

}  // namespace convscope::nmp::simulation
