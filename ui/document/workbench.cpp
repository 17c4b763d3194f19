#include "ui/document/workbench.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "ui/document/session_reading.h"
#include "ui/document/state.h"

namespace convscope::ui {
namespace {

bool set_parameters(const QStringList& assignments, arch::ParameterValues& values, Diagnostics& diagnostics) {
  bool all_set = true;
  for (const QString& assignment : assignments) {
    const auto name = assignment.section('=', 0, 0).trimmed().toStdString();
    if (!assignment.contains('=')) {
      diagnostics.error({{}, 0, "parameter '" + name + "'"}, "no value", "name=value");
      all_set = false;
    } else {
      all_set &= values.set(name, assignment.section('=', 1).trimmed().toStdString(), diagnostics);
    }
  }
  return values.check(diagnostics) && all_set;
}

}  // namespace

Workbench::Workbench(catalogue::CataloguePointer catalogue, QObject* parent) : ViewHost(parent) {
  assert(catalogue && !catalogue->targets.empty());
  state_ = std::make_unique<State>(*this, std::move(catalogue));
  state_->collect_messages();
}

Workbench::~Workbench() {
  // What widgets are told while they go down with the window could reach half-destroyed ones.
  blockSignals(true);
  state_->stop_compiling();
}

const Snapshot& Workbench::snapshot() const {
  return state_->results.snapshot();
}
const arch::ParameterValues& Workbench::machine() const {
  return state_->settings.values;
}
const arch::ParameterValues& Workbench::preset_machine() const {
  return state_->settings.preset_values;
}
std::shared_ptr<const target::Target> Workbench::target() const {
  return state_->settings.target;
}
const std::vector<std::shared_ptr<const target::Target>>& Workbench::targets() const {
  return state_->catalogue->targets;
}
const catalogue::CataloguePointer& Workbench::catalogue() const {
  return state_->catalogue;
}
std::shared_ptr<const network::Network> Workbench::network() const {
  return state_->results.network();
}
QString Workbench::level() const {
  return state_->settings.level;
}
QString Workbench::preset() const {
  return state_->settings.preset;
}
QString Workbench::preset_reference() const {
  return ui::preset_reference(state_->settings);
}
QStringList Workbench::presets() const {
  return state_->presets;
}
const Theme& Workbench::theme() const {
  return *state_->theme;
}
QUndoStack& Workbench::undo_stack() {
  return state_->undo;
}
const Diagnostics& Workbench::messages() const {
  return state_->messages.all;
}
Exploration& Workbench::exploration() {
  return state_->exploration;
}

MachineActions& Workbench::machines() {
  return state_->exploration;
}

void Workbench::report_exploration(const Diagnostics& diagnostics) {
  state_->messages.exploration = diagnostics;
  state_->collect_messages();
}

bool Workbench::busy() const {
  return snapshot().busy;
}
bool Workbench::settled() const {
  return !state_->opening.running() && !state_->compilation.running() && !state_->rest.isActive() &&
         !state_->reads_baselines();
}

bool Workbench::configure(const StartOptions& options, Diagnostics& diagnostics) {
  Settings next = state_->settings;
  if (!options.target.isEmpty() && options.target.toStdString() != next.target->id()) {
    const auto found = std::find_if(state_->catalogue->targets.begin(), state_->catalogue->targets.end(),
                                    [&](const auto& each) { return each->id() == options.target.toStdString(); });
    if (found == state_->catalogue->targets.end()) {
      diagnostics.error({{}, 0, "target '" + options.target.toStdString() + "'"}, "unknown target");
      return false;
    }
    next = default_settings(*found);
  }
  if (!options.level.isEmpty() && !has_level(*next.target, options.level)) {
    diagnostics.error({{}, 0, "level '" + options.level.toStdString() + "'"}, "unknown level");
    return false;
  }
  if (!options.level.isEmpty()) next.level = options.level;
  // Another target starts as it does when it is chosen in the window: with its own preset, not with plain defaults.
  const bool other_target = next.target != state_->settings.target;
  const QString preset =
      options.preset.isEmpty() && other_target ? QString::fromStdString(next.target->default_preset()) : options.preset;
  if (!preset.isEmpty()) {
    auto read = read_settings(next.target, preset, next.level, diagnostics);
    if (!read) return false;
    next = std::move(*read);
  }
  if (!set_parameters(options.parameters, next.values, diagnostics)) return false;
  state_->apply(next);
  return true;
}

std::optional<network::InputSizes> Workbench::input_sizes() const {
  return network() ? state_->sizes.open : std::nullopt;
}
const OpenSizes& Workbench::open_sizes() const {
  return state_->sizes.left_open;
}

void Workbench::open_network(const QString& path) {
  if (is_session_file(path)) return open_session(path);
  if (is_results_file(path)) return state_->exploration.open_results(path);
  state_->open_network(path, state_->sizes.wish(path), {});
}

void Workbench::open_network(const QString& path, const network::InputSizes& sizes) {
  state_->open_network(path, {sizes, {}}, {});
}

void Workbench::open_first(const QStringList& paths) {
  const auto session = std::find_if(paths.begin(), paths.end(), is_session_file);
  if (session != paths.end()) return open_session(*session);
  const auto results = std::find_if(paths.begin(), paths.end(), is_results_file);
  if (results != paths.end()) return state_->exploration.open_results(*results);
  if (paths.size() == 1) return open_network(paths.front());
  if (!paths.isEmpty()) state_->open_first(paths);
}

void Workbench::set_input_sizes(const network::InputSizes& sizes) {
  const auto before = input_sizes();
  if (!before || *before == sizes) return;
  state_->open_network(QString::fromStdString(network()->source_file), {sizes, {}}, before);
}

void Workbench::set_target(const QString& id) {
  for (const auto& offered : state_->catalogue->targets) {
    if (QString::fromStdString(offered->id()) != id || offered == target()) continue;
    state_->read_preset(offered, QString::fromStdString(offered->default_preset()));
  }
}

void Workbench::set_level(const QString& level) {
  if (!has_level(*target(), level)) return;
  Settings next = state_->settings;
  next.level = level;
  state_->edit(std::move(next), tr("Level %1").arg(level));
}

void Workbench::load_preset(const QString& path_or_name) {
  state_->read_preset(target(), path_or_name);
}

void Workbench::save_preset(const QString& path, const QString& name, const QString& description) {
  state_->save_preset(path, name, description);
}

void Workbench::set_parameter(int index, double value, int drag) {
  const auto position = static_cast<std::size_t>(index);
  assert(position < machine().description().parameters.size());
  Settings next = state_->settings;
  next.values.set_at(position, value);
  const auto text = tr("%1 = %2").arg(QString::fromStdString(machine().description().parameters[position].label),
                                      QString::fromStdString(next.values.text(position)));
  state_->edit(std::move(next), text, drag);
}

void Workbench::change_parameter(std::size_t parameter, double value) {
  set_parameter(static_cast<int>(parameter), value);
}

void Workbench::reset_parameter(int index) {
  set_parameter(index, preset_machine().at(static_cast<std::size_t>(index)));
}

void Workbench::take_machine(const Settings& settings, const QString& text) {
  state_->edit(settings, text);
}

void Workbench::push_step(std::unique_ptr<QUndoCommand> step) {
  state_->undo.push(step.release());
}

void Workbench::select(const artifact::Ref& ref) {
  if (ref == snapshot().selection) return;
  state_->results.select(ref);
  state_->tell_views();
  emit selection_changed();
}

void Workbench::set_theme(const QString& name) {
  const Theme* chosen = &theme_by_name(name);
  if (chosen == state_->theme) return;
  state_->theme = chosen;
  emit changed(Change::theme);
}

void Workbench::cancel() {
  if (!busy()) return state_->stop_compiling();
  state_->cancel();
}

void Workbench::recompile() {
  state_->compile();
}

}  // namespace convscope::ui
