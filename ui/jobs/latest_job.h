#pragma once
// Work away from the window's thread of which only the newest counts: what is superseded is asked to stop, and its
// result never arrives.

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "core/base/cancellation.h"

namespace convscope::ui {

class LatestJob : public QObject {
 public:
  explicit LatestJob(QObject* parent = nullptr) : QObject(parent) { pool_.setMaxThreadCount(1); }
  ~LatestJob() override {
    stop();
    pool_.waitForDone();
  }

  /// Runs `work` on a thread of its own, then `deliver` on this object's. `work` may throw Cancelled.
  template <typename Result>
  void start(std::function<Result(const std::stop_token&)> work, std::function<void(Result)> deliver) {
    stop();
    source_ = std::stop_source();
    running_ = true;
    ++started_;
    pool_.start([this, work = std::move(work), deliver = std::move(deliver), token = source_.get_token(),
                 generation = generation_] {
      std::shared_ptr<Result> result;
      try {
        if (!token.stop_requested()) result = std::make_shared<Result>(work(token));
      } catch (const Cancelled&) {
        return;
      }
      if (!result) return;
      QMetaObject::invokeMethod(
          this,
          [this, deliver, result, generation] {
            if (generation != generation_) return;
            running_ = false;
            deliver(std::move(*result));
          },
          Qt::QueuedConnection);
    });
  }
  /// Forgets what runs.
  void stop() {
    source_.request_stop();
    ++generation_;
    running_ = false;
  }
  bool running() const { return running_; }
  /// Jobs that were asked for so far.
  std::int64_t started() const { return started_; }

 private:
  QThreadPool pool_;
  std::stop_source source_;
  std::uint64_t generation_ = 0;
  std::int64_t started_ = 0;
  bool running_ = false;
};

}  // namespace convscope::ui
