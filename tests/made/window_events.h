#pragma once
// Waiting for the window, and seeing when it paints.

#include <QEvent>
#include <QEventLoop>
#include <QTimer>
#include <QWidget>
#include <functional>

namespace convscope::made {

inline constexpr int patience_milliseconds = 120000;

/// Handles events until the condition holds, or patience ends.
inline void run_until(const std::function<bool()>& done) {
  QEventLoop loop;
  QTimer poll, patience;
  QObject::connect(&poll, &QTimer::timeout, &loop, [&] {
    if (done()) loop.quit();
  });
  QObject::connect(&patience, &QTimer::timeout, &loop, &QEventLoop::quit);
  poll.start(1);
  patience.start(patience_milliseconds);
  if (!done()) loop.exec();
}

/// Sees when a widget was painted.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(QWidget& watched) { watched.installEventFilter(this); }
  std::function<bool()> armed = [] { return true; };  ///< paints before that do not count
  bool painted = false;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    // The queue is behind the paint event: what is posted now runs when it has been handled.
    if (event->type() == QEvent::Paint && armed()) {
      QMetaObject::invokeMethod(
          this, [this] { painted = true; }, Qt::QueuedConnection);
    }
    return false;
  }
};

}  // namespace convscope::made
