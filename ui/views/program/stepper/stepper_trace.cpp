#include "ui/views/program/stepper/stepper_trace.h"

#include <algorithm>

#include "core/base/cancellation.h"
#include "core/target/traceable.h"
#include "ui/words/text.h"

namespace convscope::ui {
namespace {

bool holds(const engine::CompiledNetwork& run, const target::Compiled* programs) {
  return run.linked.get() == programs ||
         std::any_of(run.layers.begin(), run.layers.end(), [&](const auto& layer) { return layer.get() == programs; });
}

}  // namespace

std::optional<TraceSource> trace_source(const Snapshot& snapshot) {
  const auto programs = snapshot.programs();
  if (!programs || programs->program_count() <= 0) return std::nullopt;
  for (const auto& run : {snapshot.compiled, snapshot.previous}) {
    if (!run || !holds(*run, programs.get())) continue;
    const target::ProgramTools* tools = run->target->program_tools();
    if (tools == nullptr || tools->trace_options() == nullptr) return std::nullopt;
    return TraceSource{run->target, tools, programs, snapshot.program()};
  }
  return std::nullopt;
}

OpenedTrace open_trace(const TraceSource& source, const TraceSettings& settings, const std::stop_token& stop) {
  const int program = target::program_with_file(*source.compiled, source.program);
  if (program < 0) return {};
  const std::string content = source.compiled->program_file(program);
  Diagnostics diagnostics;
  target::OptionValues values(*source.tools->trace_options());
  for (const auto& [option, text] : settings) values.set(option, text, diagnostics);
  OpenedTrace opened;
  if (!diagnostics.has_errors()) {
    const auto* known = target::traceable(*source.compiled);
    opened.trace = known != nullptr ? known->trace(program, values, target::default_checkpoint_bytes, stop, diagnostics)
                                    : source.tools->trace(content, source.compiled->program_name(program), values,
                                                          target::default_checkpoint_bytes, stop, diagnostics);
  }
  if (!opened.trace) {
    opened.complaint = to_text(diagnostics.text()).trimmed();
    return opened;
  }
  throw_if_stopped(stop);
  opened.timeline = source.compiled->timeline(program);
  opened.graph = source.compiled->task_graph(program);
  return opened;
}

bool TraceShelf::is_kept(const TraceSource& source, const TraceSettings& settings) const {
  return kept_ && kept_->compiled.lock() == source.compiled && kept_->program == source.program &&
         kept_->settings == settings;
}

bool TraceShelf::must_run(const TraceSource& source, const TraceSettings& settings) const {
  const std::lock_guard lock(mutex_);
  return !is_kept(source, settings);
}

OpenedTrace TraceShelf::open(const TraceSource& source, const TraceSettings& settings, const std::stop_token& stop) {
  {
    const std::lock_guard lock(mutex_);
    if (is_kept(source, settings)) return kept_->opened;
    kept_.reset();  // two runs at once would take twice the memory
  }
  OpenedTrace opened = open_trace(source, settings, stop);
  const std::lock_guard lock(mutex_);
  kept_ = Entry{source.compiled, source.program, settings, opened};
  return opened;
}

}  // namespace convscope::ui
