#pragma once
// Runs the built command line as a child process, as a user's shell would.

#include <string>
#include <vector>

namespace convscope::app {

struct CliResult {
  int exit_code = -1;  ///< -1 if ended by a signal
  std::string out, err;
};

/// Runs convscope-cli with arguments. Sends SIGINT as soon as stderr holds `interrupt_when`, if that is given.
CliResult run_cli(const std::vector<std::string>& arguments, const std::string& interrupt_when = {});

/// A folder of this test alone, empty and removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string path(const std::string& name = {}) const;
  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

std::string sample(const std::string& name);
std::string file_content(const std::string& path);

}  // namespace convscope::app
