#pragma once
// Work that nobody waits for: who asked for it may go away at any moment, and is not held up by it.

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <utility>

namespace convscope::ui {

/// Runs `work` on another thread, then `deliver` on the window's, unless `receiver` is gone by then.
template <typename Result>
void run_apart(QObject* receiver, std::function<Result()> work, std::function<void(Result)> deliver) {
  const QPointer<QObject> guard(receiver);
  QThreadPool::globalInstance()->start([guard, work = std::move(work), deliver = std::move(deliver)] {
    auto result = std::make_shared<Result>(work());
    // Delivered to the application, which outlives all receivers: to post to one while it goes down would be a race.
    QMetaObject::invokeMethod(
        qApp,
        [guard, deliver, result] {
          if (guard) deliver(std::move(*result));
        },
        Qt::QueuedConnection);
  });
}

}  // namespace convscope::ui
