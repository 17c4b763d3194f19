#include "core/nmp/verify/verify_program.h"

#include "core/nmp/architecture/program_check.h"
#include "core/nmp/verify/verify_report.h"
#include "core/nmp/verify/verify_run.h"

namespace convscope::nmp {

VerifiedRun verify_program(const Program& program, Diagnostics& diagnostics, const VerifyLimits& limits,
                           const std::stop_token& stop) {
  verification::Report report(program, diagnostics);
  Diagnostics malformed;
  if (!check_program(program, program.name, malformed)) {
    for (const Diagnostic& found : malformed.items())
      report.error(found.where.element, Rule::malformed, found.what, found.expected, found.hint);
    return {};
  }
  return verification::Run(program, limits, stop, report).run();
}

}  // namespace convscope::nmp
