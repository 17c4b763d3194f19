// Sessions: the part of the document that takes one, and starts anew.

#include <QFileInfo>
#include <utility>

#include "ui/document/session_reading.h"
#include "ui/document/state.h"

namespace convscope::ui {

void Workbench::State::open_session(const QString& path) {
  if (may_replace_session && !may_replace_session()) return;
  if (!QFileInfo::exists(path)) emit owner.network_missing(path);
  opening.start<SessionReading>(
      [known = catalogue, path](const std::stop_token&) { return read_session_files(*known, path); },
      [this, path](SessionReading reading) { session_read(path, std::move(reading)); });
  opening_session = true;
  show_opening(path);
}

void Workbench::State::session_read(const QString& path, SessionReading reading) {
  const bool wanted = !reading.restored || !still_may_replace || still_may_replace();
  if (opening.running()) return;  // something else was opened while the user was asked
  messages.session = wanted ? std::move(reading.diagnostics) : Diagnostics();
  if (!wanted) {
    show_nothing_open();
  } else if (reading.restored) {
    restore(path, std::move(*reading.restored));
  } else {
    show_refused(path);
  }
  refresh_busy();
  collect_messages();
  publish();
}

void Workbench::State::restore(const QString& path, RestoredSession restored) {
  ++sessions;
  undo.clear();
  take_settings(restored.settings);
  if (restored.network.network) {
    restored.network.diagnostics = {};  // they are the session's
    opened(restored.network_path, std::move(restored.network));
    const auto layers = static_cast<int>(results.network()->layers.size());
    if (restored.session.selection.layer < layers) owner.select(restored.session.selection);
  } else {
    show_nothing_open();
    compile();
  }
  owner.restore_baselines(std::move(restored.baselines), restored.compared);
  if (!restored.session.theme.empty()) owner.set_theme(QString::fromStdString(restored.session.theme));
  emit owner.session_opened(path, std::make_shared<const session::Session>(std::move(restored.session)));
}

void Workbench::State::take_settings(const Settings& next) {
  reading_preset.forget();  // what is being read belongs to the session before
  const bool other_target = next.target != settings.target;
  stop_compiling();
  settings = next;
  messages.settings = {};
  if (other_target) load_presets();
  emit owner.machine_changed();
}

Settings Workbench::State::start_settings() {
  Settings result = default_settings(catalogue->targets.front());
  const auto preset = QString::fromStdString(result.target->default_preset());
  if (preset.isEmpty()) return result;
  auto read = read_settings(result.target, preset, result.level, messages.settings);
  return read ? *read : result;
}

const Settings& Workbench::settings() const {
  return state_->settings;
}

void Workbench::open_session(const QString& path) {
  state_->open_session(path);
}

void Workbench::start_session() {
  ++state_->sessions;
  if (state_->opening.running() && state_->opening_session) state_->opening.forget();
  state_->show_nothing_open();
  state_->undo.clear();
  restore_baselines({}, -1);
  state_->take_settings(state_->start_settings());
  state_->messages.session = {};
  state_->compile();
  state_->publish();
}

void Workbench::set_session_guard(std::function<bool()> may, std::function<bool()> still_may) {
  state_->may_replace_session = std::move(may);
  state_->still_may_replace = std::move(still_may);
}

void Workbench::report_session(const Diagnostics& diagnostics) {
  state_->messages.session = diagnostics;
  state_->collect_messages();
}

}  // namespace convscope::ui
