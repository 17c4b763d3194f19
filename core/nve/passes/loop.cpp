#include "core/nve/passes/loop.h"

#include <algorithm>

#include "core/base/key.h"

namespace convscope::nve {

SchedulingMachine::SchedulingMachine(const Machine& m)
    : lanes(m.lanes),
      port_bits(m.port_bits),
      local_buffer_words(m.local_buffer_words),
      instruction_buffer_words(m.instruction_buffer_words),
      weight_registers(m.weight_registers),
      image_extension(m.image_extension),
      memory(m.memory),
      write_to_read(m.write_to_read),
      read_to_set(m.read_to_set),
      set_to_use(m.set_to_use),
      output_latency(m.output_latency) {}

Machine SchedulingMachine::machine() const {
  Machine m;
  m.lanes = lanes;
  m.port_bits = port_bits;
  m.local_buffer_words = local_buffer_words;
  m.instruction_buffer_words = instruction_buffer_words;
  m.weight_registers = weight_registers;
  m.image_extension = image_extension;
  m.memory = memory;
  m.write_to_read = write_to_read;
  m.read_to_set = read_to_set;
  m.set_to_use = set_to_use;
  m.output_latency = output_latency;
  return m;
}

std::string SchedulingMachine::key() const {
  return KeyBuilder()
      .add(lanes)
      .add(port_bits)
      .add(local_buffer_words)
      .add(instruction_buffer_words)
      .add(weight_registers)
      .add(image_extension)
      .add(memory)
      .add(write_to_read)
      .add(read_to_set)
      .add(set_to_use)
      .add(output_latency)
      .take();
}

std::string Structure::key() const {
  KeyBuilder key;
  key.add(inputs).add(maps.size());
  for (const auto& map : maps) key.add(map);
  return key.take();
}

std::vector<schedule::Resource> loop_resources() {
  std::vector<schedule::Resource> resources;
  for (int i = 0; i < field_count; ++i) resources.push_back({field_name(static_cast<Field>(i)), 1});
  resources.push_back({"port A output", 1});
  return resources;
}

std::vector<int> interval_fields() {
  std::vector<int> fields;
  for (int i = 0; i < field_count; ++i)
    if (static_cast<Field>(i) != Field::act) fields.push_back(i);
  return fields;
}

int Loop::add(LoopOperation operation, std::vector<schedule::ResourceUse> uses, std::string name) {
  operations.push_back(operation);
  uses.insert(uses.begin(), {static_cast<int>(operation.field), 0});
  problem.operations.push_back({std::move(name), std::move(uses)});
  return static_cast<int>(operations.size()) - 1;
}

std::int64_t Loop::first_cycle() const {
  return *std::min_element(cycles.begin(), cycles.end());
}
std::int64_t Loop::last_cycle() const {
  return *std::max_element(cycles.begin(), cycles.end());
}

}  // namespace convscope::nve
