#pragma once
// What Exploration holds behind its interface. Lives on the window's thread.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/exploration_host.h"
#include "ui/jobs/background_job.h"
#include "ui/jobs/gate.h"
#include "ui/jobs/loader.h"

namespace convscope::ui {

struct Exploration::State {
  State(Exploration& self, ExplorationHost& asked) : owner(self), host(asked) {}

  /// Hands on another state.
  void show(std::function<void(ExplorationState&)> change);
  std::unique_ptr<BackgroundJob> start(std::function<void(const std::stop_token&)> work);
  /// Stops a job without waiting for it.
  void retire(std::unique_ptr<BackgroundJob>& job);
  /// Runs on the window's thread if `id` still is what `current` says then.
  void post(const int& current, int id, std::function<void()> deliver);
  void report(const QString& what, const QString& reason);
  /// Gives the machine of a point that has a row: at once if the space is known, else once it is read from the file.
  void with_settings(std::uint64_t point, std::function<void(const Settings&)> act);
  void sweep_ended(const SweepOutcome& outcome);
  void take(const SweepNews& news);
  void take_results(const QString& path, const std::shared_ptr<const explore::SweepTable>& table);

  Exploration& owner;
  ExplorationHost& host;
  std::shared_ptr<const ExplorationState> shown = std::make_shared<ExplorationState>();
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  SweepSetup setup;
  SweepProgress progress;
  QString results;  ///< file of what is shown
  bool opening_results = false, opening_space = false;
  int sweep_id = 0;  ///< of the newest sweep, or file; what older ones tell is dropped
  std::shared_ptr<std::mutex> sweep_runs = std::make_shared<std::mutex>();
  int analysis_id = 0;  ///< of the newest one; what older ones tell is dropped
  std::unique_ptr<BackgroundJob> sweep, analysis;
  std::vector<std::unique_ptr<BackgroundJob>> retired;  ///< stopped, but perhaps not over yet
  Loader loader;
};

}  // namespace convscope::ui
