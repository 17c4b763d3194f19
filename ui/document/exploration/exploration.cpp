#include "ui/document/exploration/exploration.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "ui/document/exploration/exploration_state.h"

namespace convscope::ui {

Exploration::Exploration(ExplorationHost& host) : state_(std::make_unique<State>(*this, host)) {}

Exploration::~Exploration() = default;

void Exploration::State::show(std::function<void(ExplorationState&)> change) {
  auto next = std::make_shared<ExplorationState>(*shown);
  change(*next);
  shown = std::move(next);
  emit owner.state_changed();
}

void Exploration::State::report(const QString& what, const QString& reason) {
  Diagnostics diagnostics;
  diagnostics.error({{}, 0, what.toStdString()}, reason.toStdString());
  host.report_exploration(diagnostics);
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

const SweepSetup& Exploration::setup() const {
  return state_->setup;
}

void Exploration::set_setup(const SweepSetup& setup) {
  state_->opening_space.forget();
  state_->named_space.clear();
  state_->setup = setup;
  emit setup_changed();
}

void Exploration::open_space(const QString& path) {
  state_->opening_space.start<SetupReading>([path](const std::stop_token&) { return read_setup(path); },
                                            [this](const SetupReading& reading) { take_space(reading); });
}

void Exploration::take_space(const SetupReading& reading) {
  if (reading.setup) {
    SweepSetup setup = *reading.setup;
    setup.strategy = state_->setup.strategy;
    setup.results = state_->setup.results;
    set_setup(setup);
  } else {
    state_->host.report_exploration(reading.diagnostics);
    emit setup_changed();
  }
  emit sweep_changed();
}

void Exploration::open_named(const QString& space, const QString& results) {
  if (!space.isEmpty()) {
    state_->named_space = QFileInfo(space).absoluteFilePath();
    open_space(space);
  }
  if (!results.isEmpty()) {
    state_->named_results = QFileInfo(results).absoluteFilePath();
    open_results(results);
  }
}

const QString& Exploration::named_space() const {
  return state_->named_space;
}

const QString& Exploration::named_results() const {
  return state_->named_results;
}

void Exploration::give_way(bool user_waits) {
  state_->gate->set_open(!user_waits);
}

void Exploration::clear() {
  cancel_sweep();
  cancel_analysis();
  cancel_quantization();
  state_->sweep.forget();
  state_->opening_results.forget();
  state_->reading_machine.forget();
  state_->results.clear();
  state_->named_results.clear();
  state_->progress = {};
  state_->show([](ExplorationState& state) { state = {}; });
  set_setup({});
  emit changed();
  emit look_changed();
  emit quantization_changed();
  emit quantization_wish_changed();
  emit sweep_changed();
}

}  // namespace convscope::ui
