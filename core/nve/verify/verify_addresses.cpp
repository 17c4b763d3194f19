#include <algorithm>

#include "core/nve/verify/verify_program.h"
#include "core/nve/verify/verify_support.h"

namespace convscope::nve {
namespace {

using verification::memory_fields;
using verification::Report;

/// The update reaches toggle exactly (eq. 3.2 tests for equality), so that addresses return instead of running away.
bool closes(const Program& program, const MemoryField& memory) {
  return program.increment > 0 && program.toggle > 0 && program.toggle % program.increment == 0 &&
         memory.update % program.increment == 0 && memory.update < program.toggle;
}

class AddressRule {
 public:
  AddressRule(const Program& program, Report& report) : program_(program), report_(report) {}

  void check(int instruction, Field field, const MemoryField& memory, int repetitions) {
    if (memory.circular && !closes(program_, memory))
      return report_.at(instruction, field_name(field),
                        fmt::format("update {} never reaches toggle {} in steps of {}", memory.update, program_.toggle,
                                    program_.increment),
                        "toggle and update multiples of the increment, update below toggle");
    const int turns = program_.passes > 0 ? program_.toggle : repetitions;
    const int different = memory.circular ? std::min(turns, program_.toggle / program_.increment) : 1;
    int update = memory.update;
    for (int i = 0; i < different; ++i) {
      if (!fits(instruction, field, memory, memory.offset + update)) return;
      update = (update + program_.increment) % std::max(program_.toggle, 1);
    }
  }

 private:
  bool fits(int instruction, Field field, const MemoryField& memory, int address) {
    const int words = program_.machine.local_buffer_words;
    int low = 0, high = words - 1;
    if (program_.machine.memory == MemoryKind::two_banks && memory.kind == MemoryKindOfAccess::read) {
      low = field == Field::memb ? words / 2 : 0;
      high = field == Field::memb ? words - 1 : words / 2 - 1;
    }
    if (address >= low && address <= high) return true;
    report_.at(instruction, field_name(field), fmt::format("address {}", address), fmt::format("{} to {}", low, high));
    return false;
  }

  const Program& program_;
  Report& report_;
};

}  // namespace

void verify_addresses(const DecodedProgram& decoded, Diagnostics& diagnostics) {
  const Program& program = decoded.program;
  const std::vector<Instruction>& all = decoded.instructions;
  Report report(program, diagnostics);
  AddressRule rule(program, report);
  for (const auto& section : verification::sections(program)) {
    if (!verification::section_fits(section, all.size())) continue;
    for (int i = section.begin; i < section.begin + section.size; ++i)
      for (Field field : memory_fields) {
        const MemoryField& memory = all[static_cast<std::size_t>(i)].memory(field);
        if (memory.kind != MemoryKindOfAccess::none) rule.check(i, field, memory, section.repetitions);
      }
  }
}

}  // namespace convscope::nve
