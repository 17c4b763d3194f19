#pragma once
// Small layers on small machines: every kind of convolution, a third of them with a residual, memories that barely fit
// or don't.

#include <algorithm>
#include <random>

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"

namespace convscope::nmp {

/// Preset nmp-board.
inline Machine board() {
  Machine m;
  m.bandwidth = 16e9;
  m.mac_efficiency = 0.75;
  m.command_seconds = 630e-9;
  m.borders = Borders::full;
  return m;
}

struct Problem {
  Convolution convolution;
  Machine machine;
};

class RandomProblems {
 public:
  explicit RandomProblems(unsigned seed) : random_(seed), residuals_(seed + 1) {}

  Problem next(Borders borders) {
    Problem p;
    p.convolution.rows = axis();
    p.convolution.columns = axis();
    p.convolution.depthwise = pick(4) == 0;
    p.convolution.channels = p.convolution.depthwise ? 1 : 1 + pick(9);
    p.convolution.units = 1 + pick(24);
    p.convolution.maps_per_unit = p.convolution.depthwise ? 1 + pick(2) : 1;
    p.convolution.repeats = p.convolution.depthwise ? 1 : 1 + pick(2);
    p.convolution.residual = residuals_() % 3 == 0;
    Machine& m = p.machine;
    m = board();
    m.borders = borders;
    m.tles = 1 << pick(3);
    m.tlts = 1 + pick(3);
    m.input_bytes = 16 << pick(5);
    m.weight_bytes = 16 << pick(5);
    m.output_bytes = 8 << pick(5);
    m.element_bytes = 1 + pick(2);
    m.partial_sum_bytes = pick(2) == 0 ? m.element_bytes : 4;
    m.burst_bytes = 8 << pick(3);
    m.command_seconds = pick(2) == 0 ? 0 : 100e-9;
    m.macs_per_cycle = 1 + pick(8);
    m.double_buffering = pick(4) == 0;
    m.shared_bytes = pick(3) == 0 ? 8 << pick(6) : 0;
    if (m.double_buffering && pick(2) == 0) m.clock_hz = 1e7;  // so that MACs are what takes long
    return p;
  }

  /// Pools, pairs of operands and fully connected layers.
  Problem next_operator(Borders borders) {
    Problem p = next(borders);
    Convolution& c = p.convolution;
    c.operation = static_cast<Operator>(1 + pick(3));
    c.depthwise = c.operation != Operator::fully_connected;
    c.maps_per_unit = 1;
    c.residual = c.residual && c.operation == Operator::fully_connected;
    if (c.depthwise) c.channels = 1;
    if (c.operation == Operator::pool) c.repeats = 1;
    for (Axis* axis : {&c.rows, &c.columns}) {
      if (c.operation == Operator::fully_connected) *axis = {axis->kernel, 1, axis->kernel, 1, 1, 0};
      if (c.operation == Operator::pairs) *axis = {axis->out, axis->out, 1, 1, 1, 0};
    }
    return p;
  }

  int pick(int choices) { return std::uniform_int_distribution<int>(0, choices - 1)(random_); }

 private:
  Axis axis() {
    Axis a;
    a.kernel = 1 + pick(4);
    a.stride = 1 + pick(2);
    a.dilation = 1 + pick(5) / 4;
    a.padding = pick(a.kernel);
    a.out = 1 + pick(9);
    const int reach = (a.out - 1) * a.stride + (a.kernel - 1) * a.dilation + 1 - a.padding;
    a.in = std::max(1, reach - pick(a.kernel) + pick(2));
    // Every output needs an input pixel, as with any padding below the kernel's extent.
    while (a.needs(a.out - 1, 1) == 0) ++a.in;
    return a;
  }

  std::mt19937 random_, residuals_;
};

}  // namespace convscope::nmp
