#pragma once
// Work away from the window's thread. Four kinds, by what becomes of it when the user goes on:
//
//   LatestJob   the answer to a question of which only the newest counts: strategies of a layer, the line of a
//               comparison. What is superseded is asked to stop, its answer never arrives; the
//               next begins when it has ended. PictureJob is its sister for pictures that are dragged about: the one
//               that is nearly there is shown, then the newest is begun.
//   ReadJob     a file: as above, but what is superseded or cancelled is left behind, since a read of a dead disk may
//               never end. The next one begins at once. SharedReads lets those that are left behind and the next ones
//               share what they read.
//   LongJob     minutes or hours: tells how far it is, can be stopped, and then still tells how it ended.
//   WriteJob    files that must be written: one after another, none superseded, even if who asked is gone.
//
// run_apart() starts what nobody waits for. All share three rules:
//
// - Nobody waits on the window's thread, no destructor either. So work holds what it needs (by value or shared), and
//   never looks at who asked; what is to be done with its result runs on the window's thread, and only if who asked is
//   still there and wants it.
// - Work throws nothing but Cancelled.
// - main() ends what is left by end_jobs(), once the window is gone and before the application goes down.

#include <functional>
#include <stop_token>
#include <utility>

namespace convscope::ui {

/// Runs on the window's thread: what is done with a result, or with news.
using Deliver = std::function<void()>;

/// What work knows of the job that it is.
class Job {
 public:
  using Tell = std::function<void(Deliver)>;

  Job(std::stop_token stop, Tell tell) : stop_(std::move(stop)), tell_(std::move(tell)) {}

  const std::stop_token& stop() const { return stop_; }
  /// From any thread and in that order, before the job's result; dropped once nobody wants the job any more.
  void tell(Deliver news) const { tell_(std::move(news)); }

 private:
  std::stop_token stop_;
  Tell tell_;
};

}  // namespace convscope::ui
