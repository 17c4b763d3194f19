#pragma once
// A program that somebody hands in: whether it does what one of ours does, and what it takes.

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/base/diagnostic.h"
#include "core/nmp/architecture/program.h"
#include "core/target/programs.h"

namespace convscope::nmp {

/// As target::ProgramTools::examine: machine, costs of transfers, regions and layers must be those of `wanted`; code
/// and tables are its own affair. It is verified, and run for at most `steps` instructions on seeded data even if the
/// verifier refuses it: a race may come out right. Figures only of programs that are verified and right. `file` is for
/// diagnostics. Throws Cancelled.
target::Examination examine_program(const Program& program, const Program& wanted, const std::string& file,
                                    std::int64_t steps, const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::nmp
