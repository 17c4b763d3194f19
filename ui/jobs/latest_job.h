#pragma once
// The answer to a question of which only the newest counts.

#include "ui/jobs/job_line.h"

namespace convscope::ui {

/// At most one runs: what is superseded is asked to stop, its answer never arrives, and the next begins when it has
/// ended. Of those that wait the newest alone is left.
class LatestJob : public JobLine {
 public:
  LatestJob() : JobLine(Older::ends_first) {}

  /// Runs `work` on another thread, then `deliver` on this one. `work` may throw Cancelled.
  template <typename Result>
  void start(std::function<Result(const std::stop_token&)> work, std::function<void(Result)> deliver) {
    JobLine::start(make_work(std::move(work), std::move(deliver)));
  }
};

}  // namespace convscope::ui
