#pragma once
// The machine that a submission describes, as far as its lab lets it.

#include <optional>
#include <string>

#include "core/labs/open_lab.h"
#include "core/labs/submission.h"

namespace convscope::labs {

struct SubmittedMachine {
  arch::ParameterValues values;
  std::string level;
};

/// The lab's machine with the submission's parameters. Nothing, with a diagnostic for every mistake, if something is
/// locked, out of the lab's range, unknown, or breaks a constraint of the machine. Parameters that say what the lab
/// says are no change.
std::optional<SubmittedMachine> submitted_machine(const OpenLab& lab, const Submission& submission,
                                                  const std::string& file, Diagnostics& diagnostics);

/// What of a machine a submission would state: parameters that differ from the lab's.
std::vector<Assignment> differences(const OpenLab& lab, const arch::ParameterValues& machine);

}  // namespace convscope::labs
