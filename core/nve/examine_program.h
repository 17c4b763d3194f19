#pragma once
// A program that somebody hands in: whether it does what one of ours does, and what it takes.

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/base/diagnostic.h"
#include "core/nve/architecture/program.h"
#include "core/target/programs.h"

namespace convscope::nve {

/// As target::ProgramTools::examine: machine and layer must be those of `wanted`, then it is verified, then run for at
/// most `steps` cycles on seeded data. `file` is for diagnostics. Throws Cancelled.
target::Examination examine_program(const Program& program, const Program& wanted, const std::string& file,
                                    std::int64_t steps, const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::nve
