#pragma once
// Pictures made away from the window's thread, one at a time: what is wanted meanwhile is made when the one before is
// there, so that a picture that is dragged about still changes.

#include <QElapsedTimer>
#include <QMetaObject>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "core/base/cancellation.h"

namespace convscope::ui {

class PictureJob : public QObject {
 public:
  using Deliver = std::function<void()>;  ///< on the window's thread
  /// On another thread; may throw Cancelled.
  using Work = std::function<Deliver(const std::stop_token&)>;
  /// On the window's thread, when the work can begin: takes what is newest then. An empty work means there is nothing
  /// to do.
  using Begin = std::function<Work()>;

  PictureJob(QObject* parent, Begin begin) : QObject(parent), begin_(std::move(begin)) {
    pool_.setMaxThreadCount(1);
    rest_.setSingleShot(true);
    connect(&rest_, &QTimer::timeout, this, [this] { want(); });
  }
  ~PictureJob() override {
    source_.request_stop();
    pool_.waitForDone();
  }

  /// As soon as possible: somebody looks at what he has just changed.
  void want() {
    rest_.stop();
    if (running_) {
      again_ = true;
      return;
    }
    if (Work work = begin_()) start(std::move(work));
  }
  /// For what changes on its own, many times a second: leaves half of the time to others.
  void want_soon() {
    const qint64 since = ended_.isValid() ? ended_.elapsed() : milliseconds_;
    if (running_)
      soon_ = true;
    else if (since >= milliseconds_)
      want();
    else if (!rest_.isActive())
      rest_.start(static_cast<int>(milliseconds_ - since));
  }
  bool idle() const { return !running_ && !rest_.isActive(); }

 private:
  void start(Work work) {
    running_ = true;
    again_ = soon_ = false;
    pool_.start([this, work = std::move(work), token = source_.get_token()] {
      QElapsedTimer time;
      time.start();
      auto deliver = std::make_shared<Deliver>();
      try {
        *deliver = work(token);
      } catch (const Cancelled&) {
        return;  // this goes down
      }
      QMetaObject::invokeMethod(
          this, [this, deliver, spent = time.elapsed()] { done(*deliver, spent); }, Qt::QueuedConnection);
    });
  }
  void done(const Deliver& deliver, qint64 spent) {
    running_ = false;
    milliseconds_ = std::max<qint64>(spent, 1);
    ended_.start();
    if (deliver) deliver();
    if (std::exchange(again_, false)) return want();
    if (std::exchange(soon_, false)) want_soon();
  }

  Begin begin_;
  QThreadPool pool_;
  std::stop_source source_;
  QTimer rest_;
  QElapsedTimer ended_;
  qint64 milliseconds_ = 0;
  bool running_ = false, again_ = false, soon_ = false;
};

}  // namespace convscope::ui
