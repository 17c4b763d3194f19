#pragma once
// What the tests of the window share: samples, waiting, and a watch over the window's thread.

#include <QElapsedTimer>
#include <QString>
#include <QTimer>
#include <functional>

#include "ui/document/workbench.h"

namespace convscope::ui::test {

/// Path of samples/networks/NAME.xml.
QString sample(const QString& name);

/// Processes events until the condition holds; false after 60 s.
bool wait_until(const std::function<bool()>& condition);

/// Opens and waits until compiled; with `settled` at every level.
bool open_and_wait(Workbench& workbench, const QString& path, bool settled = false);

/// Cycles of each layer of the snapshot's complete run; empty if there is none.
std::vector<double> cycles(const Workbench& workbench);

/// Measures how long the window's thread went without handling events.
class BlockWatch {
 public:
  BlockWatch();
  qint64 longest_milliseconds() const { return longest_; }

 private:
  QTimer timer_;
  QElapsedTimer since_;
  qint64 longest_ = 0;
};

}  // namespace convscope::ui::test
