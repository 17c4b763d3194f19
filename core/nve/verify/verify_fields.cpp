#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::memory_fields;
using verification::Report;

void verify_memory(const Machine& machine, const Instruction& instruction, int address, Report& report) {
  const Field write_port = machine.has_write_port() ? Field::memw : Field::mema;
  for (Field field : memory_fields) {
    const MemoryKindOfAccess kind = instruction.memory(field).kind;
    if (kind == MemoryKindOfAccess::none) continue;
    if (!has_field(machine, field)) report.at(address, field_name(field), "the machine has no such field", "none");
    if (kind == MemoryKindOfAccess::write && field != write_port)
      report.at(address, field_name(field), "the port cannot write",
                fmt::format("a write in {}", field_name(write_port)));
    if (kind == MemoryKindOfAccess::read && field == Field::memw)
      report.at(address, field_name(field), "the port cannot read", "a read in MEMA or MEMB");
  }
}

void verify_image(const RegisterLayout& layout, const Instruction& instruction, int address, Report& report) {
  if (instruction.image == ImageOperation::set && instruction.image_group >= layout.groups())
    report.at(address, "IREG", fmt::format("set of group {}", instruction.image_group),
              fmt::format("0 to {}", layout.groups() - 1));
  if (instruction.image == ImageOperation::set_shift && layout.extension == 0)
    report.at(address, "IREG", "set-shift, but the image register has no extension", "set and shift only");
}

}  // namespace

void verify_fields(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  const Program& program = decoded.program;
  const std::vector<Instruction>& all = decoded.instructions;
  Report report(program, diagnostics);
  const RegisterLayout layout(program.machine, program.lane_stride() < 1 ? 1 : program.lane_stride());
  for (std::size_t i = 0; i < all.size(); ++i) {
    verify_memory(program.machine, all[i], static_cast<int>(i), report);
    verify_image(layout, all[i], static_cast<int>(i), report);
  }
}

void verify_port_conflicts(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  const Program& program = decoded.program;
  const std::vector<Instruction>& all = decoded.instructions;
  Report report(program, diagnostics);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool image = all[i].image == ImageOperation::set ||
                       (all[i].image == ImageOperation::set_shift && !program.machine.has_port_b());
    if (all[i].weight == WeightOperation::set && image)
      report.at(static_cast<int>(i), "WREG, IREG", "set rw and the image operation both take port A", "one of them");
  }
}

}  // namespace convscope::nve
