#pragma once
// A window under a user who does everything at once, and a watch over its thread: what tests and benchmarks share.

#include <QElapsedTimer>
#include <QString>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

#include "ui/window/main_window.h"

namespace convscope::ui::test {

/// The longest time during an activity for which the window's thread handled no timer.
struct Block {
  std::string activity;
  double wall_milliseconds = 0;
  double thread_milliseconds = 0;  ///< CPU time of the thread alone: the same however busy the computer is
};

/// Measures blocks, activity by activity, on the thread that made it.
class ThreadWatch {
 public:
  ThreadWatch();
  void begin(const std::string& activity);
  /// In the order of activities; one that was begun twice has its longest.
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  void beat();

  std::vector<Block> blocks_;
  std::size_t current_ = 0;
  QTimer heartbeat_;
  QElapsedTimer since_;
  double thread_ = 0;
};

/// The real window, handled by real events. Each call returns once the window has shown what follows from it.
class BusyWindow {
 public:
  explicit BusyWindow(const QString& target);
  ~BusyWindow();

  /// Until the network's layers are shown; compilation goes on.
  bool open(const QString& path);
  /// Until the figures are those of the machine; other levels may still be compiled.
  bool compile();
  /// Until everything is compiled that charts show.
  bool settle();
  /// Holds a parameter's slider with the mouse and moves it to and fro.
  bool drag(const QString& parameter, int moves);
  void switch_views();
  /// Sorts the layer table, searches in it and in the tree, and copies both.
  void look_for_layers();
  void resize();
  /// Every view as PNG and CSV, by the dialog.
  bool export_views(const QString& folder);
  bool write_report(const QString& file);
  /// Milliseconds from Cancel in the report's progress until it is gone; -1 if it was done before.
  double cancel_report(const QString& file);
  /// Pins, compares, changes a parameter, and takes everything back.
  bool pin(const QString& parameter);
  /// Compiles at another level; milliseconds from Cancel until the window says that nothing runs, and shows it; -1 if
  /// it was done before.
  double cancel_compilation();
  /// Closes the window while it opens `path`; milliseconds until all of it is gone.
  double close_while_opening(const QString& path);

  Workbench& workbench() { return *workbench_; }
  const ThreadWatch& watch() const { return watch_; }

 private:
  bool export_view(const QString& view, const QString& format, const QString& folder);

  std::unique_ptr<Workbench> workbench_;
  std::unique_ptr<MainWindow> window_;
  ThreadWatch watch_;
};

}  // namespace convscope::ui::test
