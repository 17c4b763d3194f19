#include <fmt/format.h>

#include "core/nve/architecture/assembly.h"

namespace convscope::nve {
namespace {

std::string memory_text(const MemoryField& memory) {
  if (memory.kind == MemoryKindOfAccess::none) return {};
  const char* operation = memory.kind == MemoryKindOfAccess::read ? "rd" : "wr";
  if (memory.circular) return fmt::format("{} {}+{}c", operation, memory.offset, memory.update);
  if (memory.update != 0) return fmt::format("{} {}+{}", operation, memory.offset, memory.update);
  return fmt::format("{} {}", operation, memory.offset);
}

std::string image_text(const Instruction& instruction) {
  switch (instruction.image) {
    case ImageOperation::none:
      return {};
    case ImageOperation::set:
      return fmt::format("set ri {}", instruction.image_group);
    case ImageOperation::set_shift:
      return "setsh ri";
    case ImageOperation::shift:
      return "sh ri";
  }
  return {};
}

std::string weight_text(WeightOperation operation) {
  if (operation == WeightOperation::none) return {};
  return operation == WeightOperation::set ? "set rw" : "sh rw";
}

// The first vector goes without saying: it is the only one of the thesis's machine.
std::string vector_text(const Instruction& instruction) {
  if (instruction.vector == VectorOperation::none) return {};
  const char* operation = instruction.vector == VectorOperation::set_bias ? "set rb" : "mac";
  return instruction.accumulator == 0 ? operation : fmt::format("{} {}", operation, instruction.accumulator);
}

}  // namespace

std::string field_text(const Instruction& instruction, Field field) {
  switch (field) {
    case Field::mema:
    case Field::memb:
    case Field::memw:
      return memory_text(instruction.memory(field));
    case Field::wreg:
      return weight_text(instruction.weight);
    case Field::ireg:
      return image_text(instruction);
    case Field::vmac:
      return vector_text(instruction);
    case Field::act:
      return instruction.activate ? fmt::format("act {}", instruction.half) : std::string{};
  }
  return {};
}

}  // namespace convscope::nve
