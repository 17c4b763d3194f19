#include "random_layers.h"

namespace convscope::snowflake {

Machine random_machine(Random& random) {
  Machine m;
  m.cus = random.from(1, 4);
  m.vmacs = random.of({1, 2, 4, 3});
  m.macs = random.of({4, 8, 16, 16});
  m.maps_bank_words = random.of({2048, 4096, 32768});
  m.kernel_bank_words = random.of({1024, 4096});
  m.bias_words = random.of({64, 128});
  m.instruction_bank = random.of({192, 256, 512, 1024});
  m.queue = random.of({4, 16, 32});
  m.delay_slots = random.from(1, 6);
  m.load_units = random.from(1, 4);
  m.loads_per_unit = random.of({2, 8});
  return m;
}

LayerSpec random_layer(Random& random) {
  LayerSpec s;
  s.kind = random.of({0, 0, 0, 1}) == 0 ? LayerKind::convolution
           : random.once_in(2)          ? LayerKind::max_pool
                                        : LayerKind::average_pool;
  s.height = random.from(5, 12);
  s.width = random.from(5, 12);
  s.channels = random.of({3, 16, 32, 40});
  s.outputs = s.kind == LayerKind::convolution ? random.of({8, 24, 48}) : s.channels;
  s.kernel_height = s.kernel_width = random.of({1, 2, 3, 5});
  s.stride_height = s.stride_width = random.from(1, 2);
  s.padding = random.from(0, (s.kernel_height - 1) / 2);
  s.bypass = s.kind == LayerKind::convolution && random.once_in(4);
  s.relu = random.once_in(2);
  return s;
}

}  // namespace convscope::snowflake
