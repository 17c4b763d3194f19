#pragma once
// Another program as a child: it inherits stdout and stderr, and is ended when we are asked to stop.

#include <stop_token>
#include <string>
#include <vector>

namespace convscope::cli {

struct ChildResult {
  bool stopped = false;
  int exit_code = -1;   ///< -1 if it could not be started or was ended by a signal
  std::string failure;  ///< what happened then
};

/// `arguments[0]` is the program's path; `environment` ("NAME=value") is added to ours.
ChildResult run_child(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                      const std::stop_token& stop);

}  // namespace convscope::cli
