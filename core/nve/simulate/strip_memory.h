#pragma once
// Address generation, writes and reads of the local buffer. Included by strip_simulator.h.

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve::simulation {
template <typename Observer>
std::int64_t StripSimulator<Observer>::generate_address(Step& step, Field field) {
  const MemoryField& memory = step.instruction.memory(field);
  std::int64_t& update = step.update[static_cast<std::size_t>(field)];
  if (machine_.loop == InnerLoop::on && memory.circular) {
    const std::int64_t moved = update + (position_.repeated ? ring_pointer_ : 0);
    return memory.offset + (program_.toggle > 0 ? moved % program_.toggle : moved);
  }
  const std::int64_t address = memory.offset + update;
  observer_.address_generated(step.address, field);
  if (memory.circular) {
    update += program_.increment;
    if (update == program_.toggle) update = 0;
  }
  return address;
}

template <typename Observer>
bool StripSimulator<Observer>::address_fits(const Step& step, Field field, std::int64_t address) {
  if (buffer_.contains(address)) return true;
  refuse(step, field,
         fmt::format("address {} is outside the local buffer; expected 0 to {}", address,
                     machine_.local_buffer_words - 1));
  return false;
}

template <typename Observer>
void StripSimulator<Observer>::write(Step& step, Field field) {
  const Field port = machine_.has_write_port() ? Field::memw : Field::mema;
  if (field != port) return refuse(step, field, fmt::format("only {} writes on this machine", field_name(port)));
  if (position_.stream == position_.traffic->stream.size())
    return refuse(step, field, "the host supplies no word for this write");
  const std::int64_t address = generate_address(step, field);
  if (!address_fits(step, field, address)) return;
  if (host_.input_stall) run_.input_stalls += host_.input_stall(input_accesses_);
  const std::int64_t number = input_accesses_++;
  const StreamWord& item = position_.traffic->stream[position_.stream++];
  BufferWord& word = buffer_.write(static_cast<int>(address), run_.cycles);
  const bool of_pass = item.kind == StreamWord::Kind::unit || item.kind == StreamWord::Kind::ordered;
  const std::int64_t repetition = of_pass ? pass_number() : position_.repetition;
  word.source = item.holds_pixels() ? pixels_source(number) : coefficient_source_.number(item, repetition);
  observer_.buffer_written(address);
  host_.supply(item, repetition, {word.bytes.data(), static_cast<std::size_t>(machine_.pixels_per_word())});
}

template <typename Observer>
void StripSimulator<Observer>::read(Step& step, Field field) {
  if (field == Field::memw) return refuse(step, field, "MEMW only writes");
  const std::int64_t address = generate_address(step, field);
  if (!address_fits(step, field, address)) return;
  if (machine_.memory == MemoryKind::two_banks &&
      (address >= machine_.local_buffer_words / 2) != (field == Field::memb))
    return refuse(step, field,
                  fmt::format("word {} lies in bank {}; expected a word of the port's own bank", address,
                              address >= machine_.local_buffer_words / 2 ? 1 : 0));
  const int word = static_cast<int>(address);
  if (!buffer_.readable(word, run_.cycles)) return refuse(step, field, buffer_.complaint(word, run_.cycles));
  observer_.buffer_read(field, address);
  (field == Field::mema ? port_a_ : port_b_).issue(run_.cycles, buffer_.read(word));
}

}  // namespace convscope::nve::simulation
