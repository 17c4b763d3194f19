#pragma once
// Reading a file, which may take as long as disk and network like.

#include "ui/jobs/job_line.h"

namespace convscope::ui {

/// Another read begins at once; the one before is asked to stop and left behind, its result never arrives.
class ReadJob : public JobLine {
 public:
  ReadJob() : JobLine(Older::is_left) {}

  /// Runs `read` on a thread of its own, then `deliver` on this one. `read` may throw Cancelled.
  template <typename Result>
  void start(std::function<Result(const std::stop_token&)> read, std::function<void(Result)> deliver) {
    JobLine::start(make_work(std::move(read), std::move(deliver)));
  }
};

}  // namespace convscope::ui
