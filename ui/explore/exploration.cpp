#include "ui/explore/exploration.h"

#include <algorithm>
#include <utility>

#include "ui/document/settings.h"
#include "ui/explore/exploration_state.h"
#include "ui/explore/point_machine.h"
#include "ui/explore/sensitivity_work.h"
#include "ui/models/figures.h"

namespace convscope::ui {

Exploration::Exploration(Workbench& workbench) : state_(std::make_unique<State>(*this, workbench)) {
  const auto give_way = [this, &workbench] { state_->gate->set_open(!workbench.busy()); };
  connect(&workbench, &Workbench::progress_changed, this, give_way);
  connect(&workbench, &Workbench::snapshot_changed, this, give_way);
}

Exploration::~Exploration() {
  state_->retire(state_->analysis);
  state_->retired.clear();  // waits: jobs use what goes next
}

void Exploration::State::show(std::function<void(ExplorationState&)> change) {
  auto next = std::make_shared<ExplorationState>(*shown);
  change(*next);
  shown = std::move(next);
  emit owner.state_changed();
}

std::unique_ptr<BackgroundJob> Exploration::State::start(std::function<void(const std::stop_token&)> work) {
  return std::make_unique<BackgroundJob>(
      owner, std::move(work), [this] { std::erase_if(retired, [](const auto& job) { return job->over(); }); });
}

void Exploration::State::retire(std::unique_ptr<BackgroundJob>& job) {
  if (!job) return;
  job->stop();
  retired.push_back(std::move(job));
}

void Exploration::State::post(const int& current, int id, std::function<void()> deliver) {
  QMetaObject::invokeMethod(
      &owner,
      [&current, id, deliver = std::move(deliver)] {
        if (current == id) deliver();
      },
      Qt::QueuedConnection);
}

void Exploration::State::report(const QString& what, const QString& reason) {
  Diagnostics diagnostics;
  diagnostics.error({{}, 0, what.toStdString()}, reason.toStdString());
  workbench.report_exploration(diagnostics);
}

const std::shared_ptr<const ExplorationState>& Exploration::state() const {
  return state_->shown;
}

void Exploration::show_sweep(std::shared_ptr<const explore::SweepTable> sweep) {
  state_->show([&](ExplorationState& state) { state.sweep = std::move(sweep); });
  emit changed();
}

void Exploration::show_sensitivity(std::shared_ptr<const SensitivityRun> sensitivity) {
  state_->show([&](ExplorationState& state) { state.sensitivity = std::move(sensitivity); });
  emit changed();
}

void Exploration::set_look(const SweepLook& look) {
  if (look == state_->shown->look) return;
  state_->show([&](ExplorationState& state) { state.look = look; });
  emit look_changed();
}

void Exploration::choose(std::uint64_t point) {
  constexpr std::size_t most = 2;
  SweepLook look = state_->shown->look;
  const auto found = std::find(look.chosen.begin(), look.chosen.end(), point);
  if (found != look.chosen.end()) {
    look.chosen.erase(found);
  } else {
    look.chosen.push_back(point);
    if (look.chosen.size() > most) look.chosen.erase(look.chosen.begin());
  }
  set_look(look);
}

std::optional<Settings> Exploration::State::settings_of(std::uint64_t point) const {
  const auto& table = shown->sweep;
  if (!table || !table->space || !table->row(point)) return std::nullopt;
  return point_settings(*table->space, point, workbench.targets());
}

void Exploration::open_point(std::uint64_t point) {
  const auto settings = state_->settings_of(point);
  if (!settings) return;
  state_->workbench.take_machine(*settings, tr("Open point %1").arg(count_text(static_cast<std::int64_t>(point))));
}

void Exploration::compare_points(std::uint64_t first, std::uint64_t second) {
  const auto settings = state_->settings_of(first);
  if (!settings || first == second) return;
  state_->workbench.pin_machine(*settings, tr("point %1").arg(count_text(static_cast<std::int64_t>(first))));
  open_point(second);
}

QString Exploration::describe(std::uint64_t point) const {
  const auto& table = state_->shown->sweep;
  return table ? point_text(*table, point) : QString();
}

void Exploration::analyze() {
  const auto network = state_->workbench.network();
  if (!network) return;
  cancel_analysis();
  const Settings& now = state_->workbench.settings();
  const engine::Request request{network, now.target, now.values, now.level.toStdString(), now.preset.toStdString(),
                                0,       {}};
  const int id = ++state_->analysis_id;
  const auto tell = [this, id](std::shared_ptr<const SensitivityRun> run) {
    state_->post(state_->analysis_id, id, [this, run = std::move(run)] {
      state_->show([&](ExplorationState& state) { state.sensitivity = run; });
      emit changed();
    });
  };
  const auto end = [this](const QString& failure) {
    if (!failure.isEmpty()) state_->report(tr("what helps most"), failure);
    state_->retire(state_->analysis);
    emit analysis_changed();
  };
  state_->analysis = state_->start([this, id, request, gate = state_->gate, tell, end](const std::stop_token& stop) {
    const QString failure = run_sensitivity(request, gate, stop, tell);
    state_->post(state_->analysis_id, id, [end, failure] { end(failure); });
  });
  emit analysis_changed();
}

void Exploration::cancel_analysis() {
  if (!analyzing()) return;
  ++state_->analysis_id;
  state_->retire(state_->analysis);
  emit analysis_changed();
}

bool Exploration::analyzing() const {
  return state_->analysis != nullptr;
}

}  // namespace convscope::ui
