#pragma once
// What Exploration holds behind its interface. Lives on the window's thread.

#include <functional>
#include <memory>
#include <optional>

#include "ui/document/exploration/exploration.h"
#include "ui/document/exploration/exploration_host.h"
#include "ui/jobs/gate.h"
#include "ui/jobs/long_job.h"
#include "ui/jobs/read_job.h"

namespace convscope::ui {

struct Exploration::State {
  State(Exploration& self, ExplorationHost& asked) : owner(self), host(asked) {}

  /// Hands on another state.
  void show(std::function<void(ExplorationState&)> change);
  void report(const QString& what, const QString& reason);
  /// Gives the machine of a point that has a row: at once if the space is known, else once it is read from the file.
  void with_settings(std::uint64_t point, std::function<void(const Settings&)> act);
  void sweep_ended(const SweepOutcome& outcome);
  void take(const SweepNews& news);
  void tell_of_analysis();
  void show_quantization(std::shared_ptr<const QuantizationRun> run);
  void take_quantization_wish(const QuantizationWish& wish);
  void take_results(const QString& path, const std::shared_ptr<const explore::SweepTable>& table);

  Exploration& owner;
  ExplorationHost& host;
  std::shared_ptr<const ExplorationState> shown = std::make_shared<ExplorationState>();
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  SweepSetup setup;
  SweepProgress progress;
  QString results;                     ///< file of what is shown
  QString named_space, named_results;  ///< of a session, and not shown: still being read, or refused
  LongJob sweep;                       ///< one at a time: two never write to one file
  LongJob analysis, quantization;
  std::shared_ptr<const target::Target> quantized_beside;  ///< the target when it was asked for
  ReadJob opening_results, opening_space, reading_machine;
};

}  // namespace convscope::ui
