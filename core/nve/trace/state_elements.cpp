#include "core/nve/trace/state_elements.h"

namespace convscope::nve {
namespace {

std::int64_t counter(const TracedSimulator& simulator, std::int64_t which) {
  switch (static_cast<TraceBlocks::Counter>(which)) {
    case TraceBlocks::repetition:
      return simulator.position().repetition;
    case TraceBlocks::address:
      return simulator.next_address();
    case TraceBlocks::words_supplied:
      return simulator.input_accesses();
    case TraceBlocks::pass:
      return simulator.position().pass;
    case TraceBlocks::ring_pointer:
      return simulator.ring_pointer();
    default:
      return simulator.output_accesses();
  }
}

std::int64_t buffer_byte(const TracedSimulator& simulator, std::int64_t index, int word_bytes) {
  const int word = static_cast<int>(index / word_bytes);
  if (!simulator.buffer().written(word)) return artifact::no_value;
  return simulator.buffer().read(word).bytes[static_cast<std::size_t>(index % word_bytes)];
}

std::int64_t update(const TracedSimulator& simulator, const TraceBlocks& blocks, std::int64_t index) {
  const auto columns = static_cast<std::int64_t>(blocks.memory_fields.size());
  const Field field = blocks.memory_fields[static_cast<std::size_t>(index % columns)];
  return simulator.steps()[static_cast<std::size_t>(index / columns)].update[static_cast<std::size_t>(field)];
}

std::int64_t lane_of(const simulation::Accumulators* accumulators, std::int64_t lane) {
  if (accumulators == nullptr) return artifact::no_value;
  return static_cast<std::int32_t>(accumulators->values[static_cast<std::size_t>(lane)]);
}

/// Vector by vector.
std::int64_t accumulator(const TracedSimulator& simulator, std::int64_t index) {
  const int lanes = simulator.layout().lanes;
  return lane_of(&simulator.accumulators(static_cast<std::size_t>(index / lanes)), index % lanes);
}

template <typename Value>
std::int64_t or_nothing(const std::optional<Value>& value) {
  return value ? std::int64_t{*value} : artifact::no_value;
}

}  // namespace

std::int64_t state_element(const TracedSimulator& simulator, const TraceBlocks& blocks, int block, std::int64_t index) {
  const int place = static_cast<int>(index);
  if (block == blocks.counters) return counter(simulator, index);
  if (block == blocks.port_a || block == blocks.port_b) {
    const simulation::ReadPort& port = simulator.port(block == blocks.port_a ? Field::mema : Field::memb);
    return port.loaded() ? port.output().bytes[static_cast<std::size_t>(index)] : artifact::no_value;
  }
  if (block == blocks.weights) return or_nothing(simulator.weights().at(place));
  if (block == blocks.image || block == blocks.window) return or_nothing(simulator.image().at(place));
  if (block == blocks.accumulators) return accumulator(simulator, index);
  // Of the cycle that is done.
  if (block == blocks.output) return lane_of(simulator.output().visible(simulator.so_far().cycles - 1), index);
  if (block == blocks.agu) return update(simulator, blocks, index);
  return buffer_byte(simulator, index,
                     static_cast<int>(blocks.schema.blocks[static_cast<std::size_t>(blocks.buffer)].columns));
}

const char* control_state(const TracedSimulator& simulator) {
  constexpr const char* names[] = {"initial", "repeat", "final", "done"};
  return names[simulator.section()];
}

bool has_operation(const Instruction& instruction, Field field) {
  switch (field) {
    case Field::wreg:
      return instruction.weight != WeightOperation::none;
    case Field::ireg:
      return instruction.image != ImageOperation::none;
    case Field::vmac:
      return instruction.vector != VectorOperation::none;
    case Field::act:
      return instruction.activate;
    default:
      return instruction.memory(field).kind != MemoryKindOfAccess::none;
  }
}

}  // namespace convscope::nve
