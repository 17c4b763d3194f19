#pragma once
// Reads files away from the window's thread, one after another, and hands the results back to it.

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <utility>

namespace convscope::ui {

class Loader : public QObject {
 public:
  Loader() { pool_.setMaxThreadCount(1); }
  ~Loader() override { pool_.waitForDone(); }

  /// Waits for all work that was begun; its results are still to be delivered.
  void wait() { pool_.waitForDone(); }

  /// Runs `work` on the loader's thread, then `deliver` on this object's thread, unless the loader is gone by then.
  template <typename Result>
  void run(std::function<Result()> work, std::function<void(Result)> deliver) {
    pool_.start([this, work = std::move(work), deliver = std::move(deliver)] {
      auto result = std::make_shared<Result>(work());
      QMetaObject::invokeMethod(
          this, [deliver, result] { deliver(std::move(*result)); }, Qt::QueuedConnection);
    });
  }

 private:
  QThreadPool pool_;
};

}  // namespace convscope::ui
