#pragma once
// What Exploration holds behind its interface. Lives on the window's thread.

#include <functional>
#include <memory>
#include <vector>

#include "ui/explore/background_job.h"
#include "ui/explore/exploration.h"
#include "ui/explore/gate.h"
#include "ui/workbench.h"

namespace convscope::ui {

struct Exploration::State {
  State(Exploration& self, Workbench& bench) : owner(self), workbench(bench) {}

  /// Hands on another state.
  void show(std::function<void(ExplorationState&)> change);
  std::unique_ptr<BackgroundJob> start(std::function<void(const std::stop_token&)> work);
  /// Stops a job without waiting for it.
  void retire(std::unique_ptr<BackgroundJob>& job);
  /// Runs on the window's thread if `id` still is what `current` says then.
  void post(const int& current, int id, std::function<void()> deliver);
  void report(const QString& what, const QString& reason);
  std::optional<Settings> settings_of(std::uint64_t point) const;

  Exploration& owner;
  Workbench& workbench;
  std::shared_ptr<const ExplorationState> shown = std::make_shared<ExplorationState>();
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  int analysis_id = 0;  ///< of the newest one; what older ones tell is dropped
  std::unique_ptr<BackgroundJob> analysis;
  std::vector<std::unique_ptr<BackgroundJob>> retired;  ///< stopped, but perhaps not over yet
};

}  // namespace convscope::ui
