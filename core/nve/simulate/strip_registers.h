#pragma once
// Operations on weight and image register: issued with the words that the ports hold, applied later. Included by
// strip_simulator.h.

#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve::simulation {
template <typename Observer>
bool StripSimulator<Observer>::takes_port_a(const Instruction& instruction) const {
  return instruction.image == ImageOperation::set ||
         (instruction.image == ImageOperation::set_shift && !machine_.has_port_b());
}

template <typename Observer>
bool StripSimulator<Observer>::takes_port_b(const Instruction& instruction) const {
  if (instruction.image == ImageOperation::set_shift) return machine_.has_port_b();
  return instruction.image == ImageOperation::set && image_.takes_b(instruction.image_group);
}

template <typename Observer>
bool StripSimulator<Observer>::holds(const Step& step, Field field, const ReadPort& port, char name) {
  if (port.loaded()) return true;
  refuse(step, field,
         fmt::format("port {} holds no word; expected a read at least {} cycles before", name, machine_.read_to_set));
  return false;
}

template <typename Observer>
void StripSimulator<Observer>::issue_registers(const Step& step) {
  const Instruction& instruction = step.instruction;
  RegisterOperations& issued = pending_[static_cast<std::size_t>(run_.cycles) % pending_.size()];
  issued.weight = WeightOperation::none;
  issued.image = ImageOperation::none;
  if (instruction.weight == WeightOperation::none && instruction.image == ImageOperation::none) return;
  if (!check_registers(step)) return;
  if (instruction.weight == WeightOperation::set || takes_port_a(instruction)) observer_.port_taken(Field::mema);
  if (takes_port_b(instruction)) observer_.port_taken(Field::memb);
  issued.weight = instruction.weight;
  issued.image = instruction.image;
  issued.group = instruction.image_group;
  issued.address = step.address;
  issued.cycle = run_.cycles;
  issued.a = port_a_.output();
  issued.b = port_b_.output();
}

template <typename Observer>
bool StripSimulator<Observer>::check_registers(const Step& step) {
  const Instruction& instruction = step.instruction;
  const bool weight = instruction.weight == WeightOperation::set;
  if (weight && takes_port_a(instruction)) {
    refuse(step, Field::ireg, "takes port A in the same cycle as set rw; expected one user of port A");
    return false;
  }
  if (weight && !holds(step, Field::wreg, port_a_, 'A')) return false;
  if (weight && port_a_.output().holds_pixels()) {
    refuse(step, Field::wreg, "port A holds pixels; expected a word of coefficients");
    return false;
  }
  return instruction.image == ImageOperation::none || instruction.image == ImageOperation::shift || check_image(step);
}

template <typename Observer>
bool StripSimulator<Observer>::check_image(const Step& step) {
  const Instruction& instruction = step.instruction;
  if (takes_port_a(instruction) && !holds(step, Field::ireg, port_a_, 'A')) return false;
  if (instruction.image == ImageOperation::set_shift)
    return !machine_.has_port_b() || holds(step, Field::ireg, port_b_, 'B');
  if (instruction.image_group >= layout_.groups()) {
    refuse(step, Field::ireg, fmt::format("no such group; expected 0 to {}", layout_.groups() - 1));
    return false;
  }
  return !image_.takes_b(instruction.image_group) || holds(step, Field::ireg, port_b_, 'B');
}

template <typename Observer>
void StripSimulator<Observer>::apply_registers() {
  const std::int64_t issue = run_.cycles - machine_.set_to_use;
  if (issue < 0) return;
  const RegisterOperations& operations = pending_[static_cast<std::size_t>(issue) % pending_.size()];
  if (operations.weight != WeightOperation::none)
    if (Complaint complaint = apply_weight(operations)) refuse_at(operations, Field::wreg, *complaint);
  if (operations.image != ImageOperation::none)
    if (Complaint complaint = apply_image(operations)) refuse_at(operations, Field::ireg, *complaint);
}

template <typename Observer>
void StripSimulator<Observer>::refuse_at(const RegisterOperations& operations, Field field, const std::string& text) {
  const Instruction& instruction = steps_[static_cast<std::size_t>(operations.address)].instruction;
  refuse(operations.cycle, operations.address, field_name(field), field_text(instruction, field) + ": " + text);
}

template <typename Observer>
Complaint StripSimulator<Observer>::apply_weight(const RegisterOperations& operations) {
  if (operations.weight == WeightOperation::set) {
    observer_.weights_set();
    return weights_.set(operations.a);
  }
  observer_.weights_shifted();
  return weights_.shift();
}

template <typename Observer>
Complaint StripSimulator<Observer>::apply_image(const RegisterOperations& operations) {
  if (operations.image == ImageOperation::set) {
    observer_.image_set(operations.group, operations.a, operations.b);
    return image_.set(operations.group, operations.a, operations.b);
  }
  if (operations.image == ImageOperation::set_shift) {
    const BufferWord& extension = machine_.has_port_b() ? operations.b : operations.a;
    observer_.image_shifted(&extension);
    return image_.set_shift(extension);
  }
  observer_.image_shifted(nullptr);
  return image_.shift();
}

}  // namespace convscope::nve::simulation
