#pragma once
// A machine as parameter names and values, for the files that hold programs. Private to core/nve/architecture.

#include <string>

#include "core/nve/architecture/machine.h"

namespace convscope::nve {

/// The parameter values that describe a machine: machine_from(parameter_values(m)) == m for every m made by
/// machine_from.
arch::ParameterValues parameter_values(const Machine& machine);

/// A parameter's value as text that reads back to exactly the same value.
std::string exact_text(const arch::ParameterValues& values, std::size_t index);

}  // namespace convscope::nve
