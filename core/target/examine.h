#pragma once
// What ProgramTools::examine of every target says alike.

#include "core/arch/parameters.h"
#include "core/base/diagnostic.h"

namespace convscope::target {

/// An error: a program is made for another machine than was wanted, and the first parameter that tells them apart.
void refuse_machine(const arch::ParameterValues& own, const arch::ParameterValues& wanted, const Location& where,
                    Diagnostics& diagnostics);

}  // namespace convscope::target
