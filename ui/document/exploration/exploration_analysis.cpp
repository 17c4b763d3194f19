// What helps most: the part of the exploration that measures it.

#include <utility>

#include "ui/document/exploration/exploration_state.h"
#include "ui/document/exploration/sensitivity_work.h"

namespace convscope::ui {

void Exploration::analyze() {
  const auto network = state_->host.network();
  if (!network) return;
  cancel_analysis();
  const Settings& now = state_->host.settings();
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
