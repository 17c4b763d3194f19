#include "core/snowflake/verify/verify_program.h"

#include "core/snowflake/verify/verify_code.h"
#include "core/snowflake/verify/verify_run.h"

namespace convscope::snowflake {

VerifiedRun verify_program(const Program& program, Diagnostics& diagnostics, const VerifyLimits& limits,
                           std::stop_token stop) {
  verification::Report report(program, diagnostics);
  const auto code = verification::decode_all(program, report);
  verification::check_blocks(program, report);
  if (report.any()) return {};  // what runs then isn't what was meant
  verification::check_branches(program, code, report);
  if (report.any(Rule::branch_leaves_block) || report.any(Rule::branch_in_slot)) return {};
  VerifiedRun run = verification::run_code(program, code, limits, stop, report);
  run.ok = !report.any();
  return run;
}

}  // namespace convscope::snowflake
