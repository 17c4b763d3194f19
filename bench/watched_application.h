#pragma once
// An application that remembers which event took its thread longest: where to look when the window was blocked.

#include <QApplication>
#include <QEvent>
#include <ctime>
#include <string>

namespace convscope::bench {

struct LongestEvent {
  double thread_milliseconds = 0;
  std::string receiver;
  int type = 0;  ///< QEvent::Type
  std::string text() const {
    return std::to_string(thread_milliseconds) + " ms, event " + std::to_string(type) + " of " + receiver;
  }
};

class WatchedApplication : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    if (depth_ > 0) return QApplication::notify(receiver, event);  // nested events are part of the outer one
    const LongestEvent now{0, describe(*receiver), event->type()};
    const double begin = thread_milliseconds();
    ++depth_;
    const bool result = QApplication::notify(receiver, event);
    --depth_;
    const double taken = thread_milliseconds() - begin;
    if (taken > longest().thread_milliseconds) {
      longest() = now;
      longest().thread_milliseconds = taken;
    }
    return result;
  }
  static LongestEvent& longest() {
    static LongestEvent event;
    return event;
  }

 private:
  static std::string describe(const QObject& object) {
    return std::string(object.metaObject()->className()) + ' ' + object.objectName().toStdString();
  }
  static double thread_milliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }

  int depth_ = 0;
};

}  // namespace convscope::bench
