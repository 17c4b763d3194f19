#include "core/cpu/run/host_machine.h"

#include <algorithm>
#include <cmath>

namespace convscope::cpu {
namespace {

/// Rates per cycle are whole or half numbers.
double to_halves(double rate) {
  return std::max(0.5, std::round(2 * rate) / 2);
}

}  // namespace

CpuMachine machine_of(const Host& host, const Calibration& calibration, Family family) {
  CpuMachine machine;
  const bool native_512 = calibration.flops_512 > 1.5 * calibration.flops_256;
  const double vector = native_512 ? calibration.flops_512 : calibration.flops_256;
  machine.registers = traits(family).registers;
  machine.unit_bits = native_512 ? 512 : calibration.flops_256 > 0 ? 256 : 128;
  machine.clock_hz = calibration.clock;
  const double lanes = machine.unit_bits / 32.0;
  machine.fmas = vector > 0 ? to_halves(vector / (2 * lanes * machine.clock_hz)) : 1;
  machine.loads = to_halves(calibration.l1 / (4 * lanes * machine.clock_hz));
  machine.issue = 6;
  machine.latency = 4;
  machine.cores = host.cores;
  machine.l1 = {host.l1, calibration.l1};
  machine.l2 = {host.l2, calibration.l2};
  machine.l3 = {host.l3, calibration.l3};
  machine.dram.bandwidth = calibration.dram;
  return machine;
}

}  // namespace convscope::cpu
