#include "tests/core/nve/wide_machine.h"

#include <initializer_list>

#include "tests/core/nve/layers.h"

namespace convscope::nve::test {

Machine wide_machine(int accumulators) {
  Machine machine;
  machine.loop = InnerLoop::on;
  machine.accumulators = accumulators;
  machine.bias_shift = 15;
  return machine;
}

Switches looped_switches() {
  Switches switches = optimal;
  switches.looped = true;
  return switches;
}

Machine random_wide_machine(std::mt19937_64& random) {
  const auto pick = [&](std::initializer_list<int> values) { return *(values.begin() + random() % values.size()); };
  Machine machine = wide_machine(pick({1, 2, 4, 8, 16, 32}));
  machine.bias_shift = pick({0, 2, 15});
  machine.instruction_buffer_words = 1024;
  machine.port_bits = pick({64, 128});
  machine.lanes = pick({4, 8, 16, 32});
  machine.memory = static_cast<MemoryKind>(random() % 3);
  machine.weight_registers = pick({2, 3, 4, 8});
  machine.write_to_read = pick({1, 2, 3, 8});
  machine.read_to_set = pick({1, 2, 4, 8});
  machine.set_to_use = pick({1, 2, 4});
  machine.output_latency = pick({1, 3, 8});
  return machine;
}

}  // namespace convscope::nve::test
