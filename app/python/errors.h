#pragma once
// Diagnostics as Python knows them: errors are raised, the rest are warnings.

#include <stdexcept>

#include <pybind11/pybind11.h>

#include "core/base/diagnostic.h"

namespace convscope::python {

/// Becomes convscope.Error: input that was refused, with every mistake on a line of its own.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Refused if there are errors; what else was found becomes warnings.
void raise_or_warn(const Diagnostics& diagnostics);

}  // namespace convscope::python
