#pragma once
// Runs the scalar code of a program whose blocks and branches are in order. Private to the verifier.

#include <stop_token>

#include "core/snowflake/verify/verify_code.h"
#include "core/snowflake/verify/verify_report.h"

namespace convscope::snowflake::verification {

VerifiedRun run_code(const Program& program, const std::vector<Operation>& code, const VerifyLimits& limits,
                     const std::stop_token& stop, Report& report);

}  // namespace convscope::snowflake::verification
