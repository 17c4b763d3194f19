#include "core/cpu/measuring/detection.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/cpu/architecture/units.h"

namespace convscope::cpu {
namespace {

constexpr double operations_per_fma = 2, float_bits = 32;
/// A unit is twice as wide if twice as wide vectors gain at least so much.
constexpr double gain_of_width = 1.4;

/// Of families as wide the last has most instructions.
Family widest(const Host& host) {
  Family best = Family::scalar;
  for (const std::string& each : words(host.features))
    if (const FamilyTraits* known = find_family(each); known && known->lanes >= traits(best).lanes)
      best = known->family;
  return best;
}

/// As a preset states it: presets have no use for more digits than were measured.
double rounded(double value, double unit) {
  return std::round(value / unit) * unit;
}

void take_bandwidth(MemoryLevel& level, double bandwidth) {
  if (bandwidth > 0) level.bandwidth = rounded(bandwidth, giga / 10);
}

}  // namespace

Machine machine_of(const Host& host, const Calibration& calibration) {
  Machine machine;
  machine.family = widest(host);
  machine.registers = traits(machine.family).registers;
  machine.cores = std::clamp(host.cores, 1, 256);
  const bool wide = calibration.flops_512 > gain_of_width * calibration.flops_256;
  const double rate = wide ? calibration.flops_512 : std::max(calibration.flops_256, calibration.flops_scalar);
  machine.unit_bits = wide ? 512 : calibration.flops_256 > 0 ? 256 : 32;
  if (rate > 0)
    machine.clock_hz =
        std::clamp(rounded(rate / (operations_per_fma * machine.fmas * machine.unit_bits / float_bits), mega),
                   10 * mega, 8 * giga);
  if (host.l1 > 0) machine.l1.bytes = host.l1;
  machine.l2.bytes = host.l2 > machine.l1.bytes ? host.l2 : 0;
  machine.l3.bytes = host.l3 > std::max(machine.l1.bytes, machine.l2.bytes) ? host.l3 : 0;
  take_bandwidth(machine.l1, calibration.l1);
  take_bandwidth(machine.l2, calibration.l2);
  take_bandwidth(machine.l3, calibration.l3);
  take_bandwidth(machine.dram, calibration.dram);
  return machine;
}

}  // namespace convscope::cpu
