#include "core/nve/verify/verify_program.h"

namespace convscope::nve {

bool verify_program(const Program& program, Diagnostics& diagnostics) {
  Diagnostics found;
  verify_shape(program, found);
  verify_fields(program, found);
  verify_port_conflicts(program, found);
  verify_addresses(program, found);
  verify_traffic(program, found);
  verify_coefficients(program, found);
  if (!found.has_errors())
    verify_timing(program, found);  // unrolls the program: meaningless while it has other mistakes
  diagnostics.append(found);
  return !found.has_errors();
}

}  // namespace convscope::nve
