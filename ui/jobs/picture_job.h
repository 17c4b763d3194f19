#pragma once
// Pictures made away from the window's thread, one at a time: what is wanted meanwhile is made when the one before is
// there, so that a picture that is dragged about still changes, and nothing piles up.

#include <QElapsedTimer>
#include <QTimer>
#include <functional>

#include "ui/jobs/job_line.h"

namespace convscope::ui {

class PictureJob {
 public:
  /// On another thread; what it returns is run on the window's thread. May throw Cancelled.
  using Work = JobLine::Work;
  /// On the window's thread, when the work can begin: takes what is newest then. An empty work means there is nothing
  /// to do.
  using Begin = std::function<Work()>;

  explicit PictureJob(Begin begin);

  /// As soon as possible: somebody looks at what he has just changed.
  void want();
  /// For what changes on its own, many times a second: leaves half of the time to others.
  void want_soon();
  /// What is being made shows something else than what one looks at now: it is not shown any more.
  void want_instead();
  bool idle() const { return !line_.running() && !rest_.isActive(); }
  /// Pictures that were begun so far.
  std::int64_t begun() const { return line_.begun(); }

 private:
  void start(Work work);
  void done(const Deliver& deliver, qint64 spent);

  Begin begin_;
  QTimer rest_;
  QElapsedTimer ended_;
  qint64 milliseconds_ = 0;
  bool again_ = false, soon_ = false;
  JobLine line_{JobLine::Older::ends_first};
};

}  // namespace convscope::ui
