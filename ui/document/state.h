#pragma once
// What Workbench holds behind its interface. Lives on the window's thread.

#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ui/document/baselines.h"
#include "ui/document/compilation.h"
#include "ui/document/exploration/exploration.h"
#include "ui/document/results.h"
#include "ui/document/size_memory.h"
#include "ui/document/workbench.h"
#include "ui/jobs/latest_job.h"
#include "ui/jobs/read_job.h"
#include "ui/jobs/write_job.h"
#include "ui/model/settings.h"

namespace convscope::ui {

struct RestoredSession;
struct SessionReading;

/// Diagnostics by what they are about; each kind is replaced as a whole.
struct Messages {
  Diagnostics session;      ///< of the session that was opened, or refused, or could not be saved
  Diagnostics reading;      ///< of the network that was opened, or refused, last
  Diagnostics settings;     ///< of the preset that was loaded, or refused, last
  Diagnostics machine;      ///< constraints that do not hold now
  Diagnostics mapping;      ///< layers that the target cannot map
  Diagnostics failure;      ///< of the engine
  Diagnostics exploration;  ///< of the sweep that ran, or of results that were opened, last
  Diagnostics baselines;    ///< of those that could not be restored
  Diagnostics published;
  Diagnostics all;  ///< the above, in the order of importance
};

struct Workbench::State {
  State(Workbench& owner, catalogue::CataloguePointer known);

  void connect_compilation();
  void load_background_data();
  void load_presets();
  /// Takes settings that an edit, undo or redo gives, and compiles.
  void apply(const Settings& next);
  /// Pushes an undo step; does nothing if the settings stay the same.
  void edit(Settings next, const QString& text, int drag = 0);
  void read_preset(const std::shared_ptr<const target::Target>& chosen, const QString& preset);
  /// `undo_to`: sizes that an undo step returns to, once the network is read; nothing if it is no edit.
  void open_network(const QString& path, const SizeWish& wish, const std::optional<network::InputSizes>& undo_to);
  void open_first(const QStringList& paths);
  /// What is to be seen while `opening` reads.
  void show_opening(const QString& path);
  /// What is to be seen if nothing is open, and none of `path` could be.
  void show_refused(const QString& path);
  /// Likewise, if nothing was to be opened.
  void show_nothing_open();
  void opened(const QString& path, NetworkReading reading);
  void take(const QString& path, NetworkReading reading);
  /// What an undo step of sizes does: nothing to see if another file is open by now.
  void return_to_sizes(const QString& path, const network::InputSizes& chosen);
  void cancel();
  void save_preset(const QString& path, const QString& name, const QString& description);

  /// A session's file, its network and all; refused, nothing has changed.
  void open_session(const QString& path);
  void session_read(const QString& path, SessionReading reading);
  void restore(const QString& path, RestoredSession restored);
  /// Other settings without an undo step; compiles nothing.
  void take_settings(const Settings& next);
  /// What the program starts with.
  Settings start_settings();

  void compile();
  /// What nobody waits for: baselines of a session, then the levels that charts show.
  void compile_missing();
  void stop_compiling();
  void compile_baseline(const PinnedBaseline& ready);
  /// Before the levels that charts show, if that is what runs.
  void compile_waiting_baselines();
  /// The first that can be compiled. Networks of those before it are read, each on its own: one that never comes holds
  /// back no other.
  const PinnedBaseline* ready_baseline();
  void read_baseline_network(const PinnedBaseline& pending);
  bool reads_baselines() const;
  /// Its run is there; a draft is put in before it is shown.
  void baseline_compiled(const PinnedBaseline& baseline, std::shared_ptr<const engine::CompiledNetwork> run);
  void baseline_failed(const PinnedBaseline& baseline, const QString& reason);
  /// Takes a list that an edit, undo or redo gives.
  void apply_baselines(const BaselineList& next);
  void edit_baselines(BaselineList next, const QString& text);
  /// What the run that is shown was made of.
  Settings settings_of_run() const;
  /// Pins the run that is shown with the draft in it; one undo step.
  void pin_draft(const schedule::DraftFile& draft);
  void show_baselines();
  engine::Request request(const std::string& level) const;
  bool machine_holds();
  void halt(const QString& message);
  /// A complete run that the user waited for, at the level that was asked for or at its quick one.
  void show_run(std::shared_ptr<const engine::CompiledNetwork> run);
  void finished(std::shared_ptr<const engine::CompiledNetwork> result);
  void failed(const QString& reason);
  void refresh_busy();
  void publish();
  /// Tells views, and nobody else, what has changed since they were told last.
  void tell_views();
  void publish_soon();
  /// Lets go of what was replaced, away from the window's thread, once the views have done so.
  void bury();
  void collect_messages();

  Workbench& owner;
  const catalogue::CataloguePointer catalogue;
  Settings settings;
  QStringList presets;
  Results results;
  SizeMemory sizes;
  Messages messages;
  const Theme* theme = &light_theme();
  QUndoStack undo;
  BaselineList baselines;
  int next_baseline = 0;                          ///< id
  std::optional<PinnedBaseline> baseline_of_run;  ///< what the background run is for; none: another level
  bool background = false;                        ///< the run that goes on is for charts, nobody waits for it
  std::function<bool()> may_replace_session;      ///< null: always
  std::function<bool()> still_may_replace;        ///< likewise
  bool opening_session = false;                   ///< what `opening` reads
  int sessions = 0;                               ///< opened or begun so far
  QTimer repaint, burial, rest;
  ReadJob opening;  ///< a network, or a session with its network
  ReadJob reading_preset, listing_presets, reading_tables;
  std::map<int, ReadJob> reading_baselines;     ///< their networks, by id
  std::map<int, LatestJob> drafting_baselines;  ///< likewise, their drafts
  WriteJob writing_preset;
  Compilation compilation;
  Exploration exploration;
};

}  // namespace convscope::ui
