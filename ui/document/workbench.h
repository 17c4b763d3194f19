#pragma once
// The window's document: network, machine, level, selection; recompiles in the background whenever one changes.
// Lives on the window's thread; never blocks it. Everything that widgets share goes through here.

#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/arch/parameters.h"
#include "core/base/diagnostic.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/engine.h"
#include "ui/document/exploration/exploration_host.h"
#include "ui/document/network_reading.h"
#include "ui/model/view_host.h"

namespace convscope::session {
struct Session;
}

namespace convscope::ui {

/// What the command line may say about the machine before the window opens. Empty fields take the defaults.
struct StartOptions {
  QString target;  ///< id, e.g. "nve"
  QString preset;  ///< name in resources/presets, or path of a preset file
  QString level;
  QStringList parameters;  ///< "name=value"
};

struct BaselineList;
struct BaselineRecord;
class Exploration;

class Workbench : public ViewHost, public ExplorationHost {
  Q_OBJECT
 public:
  explicit Workbench(catalogue::CataloguePointer catalogue, QObject* parent = nullptr);
  ~Workbench() override;

  const Snapshot& snapshot() const override;
  const arch::ParameterValues& machine() const;
  std::shared_ptr<const target::Target> target() const;
  QString level() const;
  QString preset() const;
  /// What `load_preset` finds it by.
  QString preset_reference() const;
  /// The machine as its preset has it: what a parameter's reset returns to.
  const arch::ParameterValues& preset_machine() const;
  /// References of the presets for the target: names, and paths of those that aren't found by name; filled in the
  /// background, `machine_changed` follows.
  QStringList presets() const;
  const catalogue::CataloguePointer& catalogue() const override;
  const std::vector<std::shared_ptr<const target::Target>>& targets() const override;
  /// The open network; may be null.
  std::shared_ptr<const network::Network> network() const override;
  const Theme& theme() const override;
  QUndoStack& undo_stack();
  const Diagnostics& messages() const;

  /// Sets target, preset, level and parameters at once, before there is anything to undo; reads files on the caller's
  /// thread. False, with diagnostics and nothing changed, if something is unknown or refused.
  bool configure(const StartOptions& options, Diagnostics& diagnostics);

  /// Sizes that the open network was read with; nothing if there is none or its format states all of them.
  std::optional<network::InputSizes> input_sizes() const;
  /// What the open network's file leaves open.
  const OpenSizes& open_sizes() const;

  /// Target, machine and level as one value.
  const Settings& settings() const override;

  /// A session's file, with its network and all that it names, in the background; `session_opened` or
  /// `messages_changed` follows. A session that is refused changes nothing.
  void open_session(const QString& path);
  /// The machine that the program starts with, no baselines, nothing to undo; the network stays.
  void start_session();
  /// Asked before a session replaces what is there: `may` before it is read, `still_may` once it is there and may have
  /// been waited for long. False keeps what is there.
  void set_session_guard(std::function<bool()> may, std::function<bool()> still_may);
  /// What saving a session, or the like, had to say; replaces what was said before.
  void report_session(const Diagnostics& diagnostics);

  /// A session's file goes to `open_session`, results of a sweep to `Exploration::open_results`. Opens in the
  /// background; `network_opened` or `messages_changed` follows. Open sizes are those that were last chosen for the
  /// file, else for another file, else the usual ones.
  void open_network(const QString& path);
  /// With these sizes, as a session or the command line knows them; refused if they do not fit.
  void open_network(const QString& path, const network::InputSizes& sizes);
  /// The first of several files that is a network, as when they are dropped on the window; a note names the others.
  void open_first(const QStringList& paths);
  /// Reads the open network anew with other sizes; one undo step, once it is read. Refused sizes change nothing.
  void set_input_sizes(const network::InputSizes& sizes);
  void set_target(const QString& id);
  void set_level(const QString& level);
  void load_preset(const QString& path_or_name);
  /// Writes the machine as a preset, in the background; then it is the preset that resets return to.
  void save_preset(const QString& path, const QString& name, const QString& description);
  /// One parameter; consecutive calls with the same non-zero `drag` are one undo step.
  void set_parameter(int index, double value, int drag = 0);
  void change_parameter(std::size_t parameter, double value) override;
  void reset_parameter(int index);
  void take_machine(const Settings& settings, const QString& text) override;
  void push_step(std::unique_ptr<QUndoCommand> step) override;
  void select(const artifact::Ref& ref) override;
  void set_theme(const QString& name);

  /// Pinned runs, those too that wait for their compilation or have failed. Views find the others in the snapshot.
  const BaselineList& baselines() const;
  /// Why a baseline can't be compared with at the moment, e.g. because no layer matches; empty if it can.
  QString baseline_obstacle(int id) const;
  /// Pins the current complete run and compares with it; does nothing, and returns -1, if there is none.
  int pin_baseline();
  int pin_machine(const Settings& settings, const QString& name) override;
  void remove_baseline(int id);
  void rename_baseline(int id, const QString& name);
  /// Chooses the baseline that tables compare with; -1: none. No undo step.
  void compare_with(int id);
  /// What a session stores of the baselines, whether they are compiled already or not.
  std::vector<BaselineRecord> baseline_records() const;
  /// Replaces all baselines by those of a session, without an undo step; networks are read and compiled in the
  /// background, when nothing that the user waits for is. `chosen` is an index; -1: none.
  void restore_baselines(std::vector<BaselineRecord> records, int chosen);

  /// Sweeps, and what helps most.
  Exploration& exploration();
  MachineActions& machines() override;
  void report_exploration(const Diagnostics& diagnostics) override;

  void cancel();
  /// Compiles again, e.g. after a cancellation.
  void recompile();
  /// True while something is read or compiled that the user waits for.
  bool busy() const;
  /// True if nothing runs at all: the other levels, which charts show, are compiled too.
  bool settled() const;

 signals:
  void network_opened();
  void network_missing(const QString& path);  ///< there was no such file to open
  void session_opened(const QString& path, std::shared_ptr<const convscope::session::Session> session);
  void selection_changed();  ///< by select(); views, and whoever shows something, go by `changed`
  void machine_changed();    ///< values, preset or level
  void progress_changed(double fraction, const QString& activity);
  void messages_changed();
  void baselines_changed();  ///< another list, another choice, or a run that arrived; `changed` follows

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace convscope::ui
