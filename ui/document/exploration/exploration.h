#pragma once
// Sweeps, sensitivity and quantization in the window: run in the background, told as they come. Lives on the window's
// thread and never blocks it. The workbench owns one; views reach it by ViewHost::machines().

#include <QObject>
#include <QString>
#include <memory>

#include "core/base/diagnostic.h"
#include "ui/document/exploration/sweep_setup.h"
#include "ui/document/exploration/sweep_work.h"
#include "ui/model/exploration.h"
#include "ui/model/machine_actions.h"

namespace convscope::ui {

class ExplorationHost;

/// True for names that end as results files do.
bool is_results_file(const QString& path);

class Exploration : public QObject, public MachineActions {
  Q_OBJECT
 public:
  explicit Exploration(ExplorationHost& host);
  ~Exploration() override;

  /// What snapshots hold; never null.
  const std::shared_ptr<const ExplorationState>& state() const;

  /// Shows results that come from elsewhere than a sweep of this window, e.g. from a file. Null: none.
  void show_sweep(std::shared_ptr<const explore::SweepTable> sweep);
  void show_sensitivity(std::shared_ptr<const SensitivityRun> sensitivity);

  /// What the user has put together to sweep over; empty at first.
  const SweepSetup& setup() const;
  /// A space that is being read comes too late then.
  void set_setup(const SweepSetup& setup);

  /// Reads a space's file, in the background; `setup_changed` follows, and a message if it is refused.
  void open_space(const QString& path);
  /// Opens the files that a session names; empty: none. They stay named, read or refused, until something else takes
  /// their place: what can't be read today is still the session's.
  void open_named(const QString& space, const QString& results);
  /// Files of which `open_named` has heard, and nothing was shown yet; empty: none.
  const QString& named_space() const;
  const QString& named_results() const;
  /// What runs rests while the user waits for something else.
  void give_way(bool user_waits);
  /// Nothing is set up, shown or running, and nothing that was asked for before arrives any more.
  void clear();

  /// Sweeps; what was shown before is forgotten, and a sweep that runs is cancelled. A failure is a message.
  void start_sweep(const SweepPlan& plan);
  /// Stops at once; what was compiled stays shown, and in the file if there is one.
  void cancel_sweep();
  bool sweeping() const;
  const SweepProgress& progress() const;
  /// Shows a results file, read in the background; `changed` follows, or a message if it is refused.
  void open_results(const QString& path);
  /// Results that are being read are not shown any more once they are there.
  void cancel_opening();
  /// True while a space or results are being read.
  bool opening_files() const;
  /// The file that the shown results stand in; empty if there is none.
  QString results_file() const;

  void set_look(const SweepLook& look) override;
  void choose(std::uint64_t point) override;
  void open_point(std::uint64_t point) override;
  void compare_points(std::uint64_t first, std::uint64_t second) override;
  QString describe(std::uint64_t point) const override;

  void analyze() override;
  void cancel_analysis() override;
  bool analyzing() const;
  void change_parameter(const target::Target& target, std::size_t parameter, double value) override;

  void quantize(const QuantizationWish& wish) override;
  void cancel_quantization() override;
  void set_quantization_wish(const QuantizationWish& wish) override;
  /// As a session has it: no undo step.
  void restore_quantization_wish(const QuantizationWish& wish);
  /// The host has another network or machine: what runs for another network or target is of no use any more.
  void host_changed();
  bool quantizing() const;

 signals:
  void state_changed();         ///< before those below: whoever hands the state on takes it now
  void changed();               ///< rows, or what helps; snapshots have it already
  void look_changed();          ///< axes, brushes or chosen points
  void analysis_changed();      ///< begun or ended
  void quantization_changed();  ///< likewise, or other choices for the next
  void quantization_wish_changed();
  void sweep_changed();  ///< begun, further, or ended; likewise the reading of results
  void setup_changed();
  void results_opened();  ///< `changed` came before; or they were refused, or nobody waits any more

 private:
  void take_space(const SetupReading& reading);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace convscope::ui
