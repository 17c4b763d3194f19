#pragma once
// Grading by the hundred: each submission in a process of its own, so that one that is hostile costs itself alone.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/labs/check.h"

namespace convscope::labs {

struct GradeRequest {
  OpenLabPointer lab;
  std::vector<std::string> files;    ///< submissions
  std::vector<std::string> command;  ///< prints `check_json` of the file that is put behind it
  int processes = 1;                 ///< at a time
};

struct Grade {
  std::string file;
  Outcome outcome;
};

/// In the order of the files, whatever the number of processes. Limits are those of the lab's budget; a process that
/// goes beyond them, or doesn't answer, gives a refusal that says so. Throws Cancelled.
std::vector<Grade> grade(const GradeRequest& request, const std::stop_token& stop,
                         const ProgressCallback& progress = {});

/// Submissions of a folder: files that end in .xml, those in folders below as well, ascending. What leads out of the
/// folder is left out with a warning, and so is anything else that is no submission by its name.
std::vector<std::string> submissions_in(const std::string& folder, Diagnostics& diagnostics);

/// Who passed what. Text for people; CSV with one line for each submission and task; JSON as docs/labs.md says.
std::string grades_text(const Lab& lab, const std::vector<Grade>& grades);
std::string grades_csv(const Lab& lab, const std::vector<Grade>& grades);
std::string grades_json(const OpenLab& lab, const std::vector<Grade>& grades);

}  // namespace convscope::labs
