#pragma once
// Where output goes: data to stdout, diagnostics and progress to stderr.

#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/cancellation.h"
#include "core/base/diagnostic.h"

namespace convscope::cli {

/// Standard output can't be written, with the system's reason: neither the input's fault nor ours.
struct OutputFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Console {
 public:
  Console();

  /// Progress although stderr is no terminal, one line each.
  void force_progress() { progress_forced_ = true; }

  /// Writes data; throws OutputFailed if stdout can't take it.
  void data(std::string_view text);
  /// Writes diagnostics, one a line.
  void report(const Diagnostics& diagnostics);
  /// One error line without a location.
  void error(const std::string& message);
  /// Lines of text for people, on stderr.
  void tell(std::string_view lines);

  /// Shows progress where it should be shown; may be called from any thread. Valid as long as the console.
  ProgressCallback progress();
  /// Ends a line of progress before other output.
  void clear_progress();

 private:
  void show(double fraction, const std::string& activity);

  std::mutex mutex_;
  bool terminal_ = false;
  bool progress_forced_ = false;
  bool line_open_ = false;
};

}  // namespace convscope::cli
