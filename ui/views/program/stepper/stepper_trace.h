#pragma once
// The run behind the stepper: opened once for a program, asked for every cycle that is looked at.

#include <QString>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "core/target/programs.h"
#include "ui/model/snapshot.h"

namespace convscope::ui {

/// A program whose target can run it cycle by cycle.
struct TraceSource {
  std::shared_ptr<const target::Target> target;  ///< holds the tools
  const target::ProgramTools* tools = nullptr;   ///< with a trace; never null
  std::shared_ptr<const target::Compiled> compiled;
  int program = 0;
};

/// Of the program that is shown; nothing if there is none, or its target has no trace.
std::optional<TraceSource> trace_source(const Snapshot& snapshot);

/// Texts of the target's `trace_options` that are not to be its defaults, by name.
using TraceSettings = std::map<std::string, std::string>;

struct OpenedTrace {
  std::shared_ptr<const target::Trace> trace;  ///< null: refused, or there is nothing to run
  QString complaint = {};                      ///< why it was refused
  /// Say more about idle units; either may be null. Kept with the run: of a long one they take seconds to make.
  std::shared_ptr<const artifact::Timeline> timeline = {};
  std::shared_ptr<const artifact::TaskGraph> graph = {};
};

/// Runs the program. Throws Cancelled.
OpenedTrace open_trace(const TraceSource& source, const TraceSettings& settings, const std::stop_token& stop);

/// Keeps the run that was opened last, as long as its program lives. May be asked from several threads.
class TraceShelf {
 public:
  /// The same again, or what `open_trace` says. Throws Cancelled, and keeps nothing then.
  OpenedTrace open(const TraceSource& source, const TraceSettings& settings, const std::stop_token& stop);
  /// `open` would have to run the program.
  bool must_run(const TraceSource& source, const TraceSettings& settings) const;

 private:
  struct Entry {
    std::weak_ptr<const target::Compiled> compiled;
    int program = 0;
    TraceSettings settings;
    OpenedTrace opened;
  };
  bool is_kept(const TraceSource& source, const TraceSettings& settings) const;

  mutable std::mutex mutex_;
  std::optional<Entry> kept_;
};

}  // namespace convscope::ui
