#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/simulate/strip_simulator.h"

namespace convscope::nve::simulation {
bool StripSimulator::takes_port_a(const Instruction& instruction) const {
  return instruction.image == ImageOperation::set ||
         (instruction.image == ImageOperation::set_shift && !machine_.has_port_b());
}

bool StripSimulator::holds(const Step& step, Field field, const ReadPort& port, char name) {
  if (port.loaded()) return true;
  refuse(step, field,
         fmt::format("port {} holds no word; expected a read at least {} cycles before", name, machine_.read_to_set));
  return false;
}

void StripSimulator::issue_registers(const Step& step) {
  const Instruction& instruction = step.instruction;
  RegisterOperations& issued = pending_[static_cast<std::size_t>(run_.cycles) % pending_.size()];
  issued.step = nullptr;
  if (instruction.weight == WeightOperation::none && instruction.image == ImageOperation::none) return;
  if (!check_registers(step)) return;
  issued.step = &step;
  issued.cycle = run_.cycles;
  issued.a = port_a_.output();
  issued.b = port_b_.output();
}

bool StripSimulator::check_registers(const Step& step) {
  const Instruction& instruction = step.instruction;
  const bool weight = instruction.weight == WeightOperation::set;
  if (weight && takes_port_a(instruction)) {
    refuse(step, Field::ireg, "takes port A in the same cycle as set rw; expected one user of port A");
    return false;
  }
  if (weight && !holds(step, Field::wreg, port_a_, 'A')) return false;
  if (weight && port_a_.output().source == pixels_source) {
    refuse(step, Field::wreg, "port A holds pixels; expected a word of coefficients");
    return false;
  }
  return instruction.image == ImageOperation::none || instruction.image == ImageOperation::shift || check_image(step);
}

bool StripSimulator::check_image(const Step& step) {
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

void StripSimulator::apply_registers() {
  const std::int64_t issue = run_.cycles - machine_.set_to_use;
  if (issue < 0) return;
  const RegisterOperations& operations = pending_[static_cast<std::size_t>(issue) % pending_.size()];
  if (!operations.step) return;
  if (Complaint complaint = apply_weight(operations)) refuse_at(operations, Field::wreg, *complaint);
  if (Complaint complaint = apply_image(operations)) refuse_at(operations, Field::ireg, *complaint);
}

void StripSimulator::refuse_at(const RegisterOperations& operations, Field field, const std::string& text) {
  refuse(operations.cycle, operations.step->address, field_name(field),
         field_text(operations.step->instruction, field) + ": " + text);
}

Complaint StripSimulator::apply_weight(const RegisterOperations& operations) {
  switch (operations.step->instruction.weight) {
    case WeightOperation::none:
      break;
    case WeightOperation::set:
      return weights_.set(operations.a);
    case WeightOperation::shift:
      return weights_.shift();
  }
  return std::nullopt;
}

Complaint StripSimulator::apply_image(const RegisterOperations& operations) {
  const Instruction& instruction = operations.step->instruction;
  switch (instruction.image) {
    case ImageOperation::none:
      break;
    case ImageOperation::set:
      return image_.set(instruction.image_group, operations.a, operations.b);
    case ImageOperation::set_shift:
      return image_.set_shift(machine_.has_port_b() ? operations.b : operations.a);
    case ImageOperation::shift:
      return image_.shift();
  }
  return std::nullopt;
}

}  // namespace convscope::nve::simulation
