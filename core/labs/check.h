#pragma once
// Which of a lab's tasks a submission meets, and why not the others. The same check grades, answers `lab check` and
// follows the user in the window.

#include <memory>
#include <string>
#include <vector>

#include "core/labs/figures.h"

namespace convscope::labs {

struct TaskOutcome {
  std::string task;  ///< its name
  bool passed = false;
  double points = 0;                 ///< reached: all of the task's, or none
  std::vector<std::string> reasons;  ///< why not; empty if it is passed
  int hints = 0;                     ///< opened, as the submission says
  bool operator==(const TaskOutcome&) const = default;
};

struct Outcome {
  std::string by;                     ///< whose it is, as the submission says
  std::vector<std::string> refusals;  ///< why nothing of it was looked at; empty if it was
  std::vector<std::string> notes;     ///< what is no mistake, but worth knowing
  std::vector<TaskOutcome> tasks;     ///< in the lab's order
  bool operator==(const Outcome&) const = default;

  bool passed() const;    ///< all tasks
  double points() const;  ///< reached
};

/// What becomes of a submission that is not even looked at: no task is passed.
Outcome refused(const Lab& lab, std::string by, std::vector<std::string> refusals);

/// Computes what the tasks ask for. A submission of another lab, or with a machine that the lab doesn't allow, is
/// refused. `file` is for diagnostics. Throws Cancelled.
Outcome check(const OpenLab& lab, const Submission& submission, const std::string& file, const Workshop& workshop);

/// Reads a submission's file and checks it.
Outcome check_file(const OpenLab& lab, const std::string& file, const Workshop& workshop);

}  // namespace convscope::labs
