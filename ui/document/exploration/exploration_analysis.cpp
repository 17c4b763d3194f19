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
  const auto show = [this](const std::shared_ptr<const SensitivityRun>& run) {
    state_->show([&](ExplorationState& state) { state.sensitivity = run; });
    emit changed();
  };
  const auto end = [this](const QString& failure) {
    if (!failure.isEmpty()) state_->report(tr("what helps most"), failure);
    state_->tell_of_analysis();
  };
  state_->analysis.start([request, gate = state_->gate, show, end](const Job& job) -> Deliver {
    const auto tell = [&](std::shared_ptr<const SensitivityRun> run) {
      job.tell([show, run = std::move(run)] { show(run); });
    };
    return [end, failure = run_sensitivity(request, gate, job.stop(), tell)] { end(failure); };
  });
  state_->tell_of_analysis();
}

void Exploration::cancel_analysis() {
  if (!analyzing()) return;
  state_->analysis.forget();
  state_->tell_of_analysis();
}

void Exploration::State::tell_of_analysis() {
  show([this](ExplorationState& state) { state.analyzing = analysis.running(); });
  emit owner.analysis_changed();
}

bool Exploration::analyzing() const {
  return state_->analysis.running();
}

void Exploration::change_parameter(const target::Target& target, std::size_t parameter, double value) {
  if (state_->host.settings().target.get() == &target) state_->host.change_parameter(parameter, value);
}

}  // namespace convscope::ui
