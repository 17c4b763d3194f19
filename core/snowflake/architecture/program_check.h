#pragma once
// What a program must keep so that it can be shown, verified and simulated at all. Whether it is right is the
// verifier's business. Private to core/snowflake/architecture.

#include "core/base/diagnostic.h"
#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

/// All fields are in range, regions lie in DRAM, maps and kernels in their regions, blocks and ranges in the code.
bool check_program(const Program& program, const std::string& file, Diagnostics& diagnostics);

}  // namespace convscope::snowflake
