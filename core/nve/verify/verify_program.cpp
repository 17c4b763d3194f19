#include "core/nve/verify/verify_program.h"

#include "core/nve/verify/verify_support.h"

namespace convscope::nve {

DecodedProgram::DecodedProgram(const Program& decoded_program) : program(decoded_program) {
  instructions.reserve(program.words.size());
  for (std::size_t address = 0; address < program.words.size(); ++address) {
    std::string error;
    const auto instruction = decode(program.words[address], program.machine, &error);
    if (!instruction) errors.emplace_back(static_cast<int>(address), error);
    instructions.push_back(instruction.value_or(Instruction{}));
  }
}

bool verify_program(const Program& program, Diagnostics& diagnostics) {
  Diagnostics found;
  const DecodedProgram decoded(program);
  verify_shape(decoded, found);
  verify_fields(decoded, found);
  verify_port_conflicts(decoded, found);
  verify_addresses(decoded, found);
  verify_traffic(decoded, found);
  verify_coefficients(decoded, found);
  if (!found.has_errors())
    verification::check_timing(decoded, found, found);  // unrolls the program: meaningless while it has other mistakes
  diagnostics.append(found);
  return !found.has_errors();
}

}  // namespace convscope::nve
