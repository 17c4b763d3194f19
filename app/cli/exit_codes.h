#pragma once
// What the program's exit code says.

namespace convscope::cli {

enum ExitCode : int {
  done = 0,
  refused = 1,         ///< the input or the machine, with diagnostics on stderr
  wrong_usage = 2,     ///< of the command line
  cancelled = 3,       ///< by SIGINT; what was finished is kept
  internal_error = 4,  ///< ours, not the user's
  output_failed = 5,   ///< standard output can't be written
  not_all_passed = 5   ///< of `lab check` and `lab grade`: graded, but not all tasks are passed
};

}  // namespace convscope::cli
