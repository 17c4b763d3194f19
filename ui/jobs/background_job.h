#pragma once
// Work of minutes or hours on a thread of its own, told to the thread of a receiver.

#include <QMetaObject>
#include <QObject>
#include <atomic>
#include <functional>
#include <stop_token>
#include <thread>

namespace convscope::ui {

class BackgroundJob {
 public:
  /// `work` must end soon after it is stopped, and not throw. `ended` comes on the receiver's thread, once, at the end;
  /// the receiver must outlive the job.
  BackgroundJob(QObject& receiver, std::function<void(const std::stop_token&)> work, std::function<void()> ended)
      : thread_([this, &receiver, work = std::move(work), ended = std::move(ended)](const std::stop_token& stop) {
          work(stop);
          over_ = true;
          QMetaObject::invokeMethod(&receiver, ended, Qt::QueuedConnection);
        }) {}

  /// Returns at once; the destructor waits.
  void stop() { thread_.request_stop(); }
  bool over() const { return over_; }

 private:
  std::atomic<bool> over_{false};
  std::jthread thread_;  // last: it uses the rest
};

}  // namespace convscope::ui
