#pragma once
// Another program as a child in a process group of its own, with limits. Nothing goes through a shell.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace convscope {

struct ChildLimits {
  std::chrono::milliseconds wall{0};          ///< 0: none. The whole group is killed then.
  int cpu_seconds = 0;                        ///< of each process; 0: none
  std::uint64_t address_space = 0;            ///< bytes of each process; 0: none
  bool no_files = false;                      ///< nothing can be written to files, only to pipes
  std::size_t output = std::size_t{1} << 20;  ///< bytes kept of each of stdout and stderr; more ends the child
};

struct ChildRequest {
  std::vector<std::string> arguments;         ///< the first is the program's path
  std::vector<std::string> environment = {};  ///< "NAME=value", added to ours
  ChildLimits limits = {};
  int input = -1;        ///< file descriptor that becomes its stdin; -1: /dev/null
  bool captured = true;  ///< stdout and stderr come back in the result; else the child inherits ours and stdin
  /// Between the request to end (SIGTERM), when we are asked to stop, and the end of it all (SIGKILL).
  std::chrono::milliseconds grace{0};
};

struct ChildResult {
  enum class End { exited, signalled, stopped, timed_out, too_much_output, not_started };
  End end = End::not_started;
  int exit_code = -1;        ///< -1 unless it exited
  int signal = 0;            ///< that ended it; 0 if none did
  std::string failure = {};  ///< how it ended, for people
  std::string output = {}, errors = {};
  double cpu_seconds = 0;       ///< of the child and the children it waited for
  std::int64_t peak_bytes = 0;  ///< largest resident set of one of them

  bool stopped() const { return end == End::stopped; }
};

/// Returns when the child has ended, and with it its group; at once if asked to stop and there is no grace.
ChildResult run_child(const ChildRequest& request, const std::stop_token& stop);

}  // namespace convscope
