#pragma once
// What LatestJob, ReadJob and LongJob have in common: jobs of which the newest is wanted.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "ui/jobs/job.h"
#include "ui/jobs/mailbox.h"

namespace convscope::ui {

/// Lives on the window's thread; going down it forgets its job and does not wait.
class JobLine {
 public:
  /// On another thread; what it returns is run on the window's thread. May throw Cancelled.
  using Work = std::function<Deliver(const Job&)>;
  /// Whether a job that is superseded has to end before the next begins.
  enum class Older { ends_first, is_left };

  explicit JobLine(Older older) : older_(older) {}
  ~JobLine() { forget(); }
  JobLine(const JobLine&) = delete;
  JobLine& operator=(const JobLine&) = delete;

  /// Supersedes what runs: asks it to stop, and nothing of it arrives any more. `cancelled` is run instead of what
  /// `work` returns if it throws Cancelled, or was stopped before it began.
  void start(Work work, Deliver cancelled = {});
  /// Asks what runs to stop; what it tells, and its end, still arrive.
  void stop() { stop_.request_stop(); }
  /// Asks what runs to stop; nothing of it arrives any more.
  void forget();
  /// Something is still to arrive.
  bool running() const { return wanted_; }
  /// True while the end of a job that was asked to stop is still to arrive.
  bool stopping() const { return wanted_ && stop_.stop_requested(); }
  /// Jobs that were asked for so far, and those of them that began.
  std::int64_t started() const { return newest_; }
  std::int64_t begun() const { return begun_; }

 private:
  struct Wish {
    std::int64_t number = 0;
    std::stop_source stop;
    Work work;
    Deliver cancelled;
  };

  void launch(Wish wish);
  void ended(std::int64_t number, const Deliver& deliver);
  bool wants(std::int64_t number) const { return wanted_ && number == newest_; }
  static Deliver run(const Wish& wish, const Job& job);

  Older older_;
  std::int64_t newest_ = 0, begun_ = 0;
  bool wanted_ = false;    ///< the newest one's end is still to arrive
  bool occupied_ = false;  ///< one has to end before the next begins
  std::stop_source stop_;  ///< of the newest
  std::optional<Wish> waiting_;
  Mailbox mailbox_;
};

/// Work that makes a result, and then gives it to `deliver` on the window's thread.
template <typename Result>
JobLine::Work make_work(std::function<Result(const std::stop_token&)> work, std::function<void(Result)> deliver) {
  return [work = std::move(work), deliver = std::move(deliver)](const Job& job) -> Deliver {
    auto result = std::make_shared<Result>(work(job.stop()));
    return [deliver, result] { deliver(std::move(*result)); };
  };
}

}  // namespace convscope::ui
