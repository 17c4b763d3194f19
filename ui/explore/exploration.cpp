#include "ui/explore/exploration.h"

#include <algorithm>

namespace convscope::ui {

struct Exploration::State {
  explicit State(Workbench& workbench) : owner(workbench) {}

  Workbench& owner;
  std::shared_ptr<const ExplorationState> shown = std::make_shared<ExplorationState>();
};

Exploration::Exploration(Workbench& workbench) : state_(std::make_unique<State>(workbench)) {}

Exploration::~Exploration() = default;

const std::shared_ptr<const ExplorationState>& Exploration::state() const {
  return state_->shown;
}

void Exploration::show_sweep(std::shared_ptr<const explore::SweepTable> sweep) {
  auto next = std::make_shared<ExplorationState>(*state_->shown);
  next->sweep = std::move(sweep);
  state_->shown = std::move(next);
  emit state_changed();
  emit changed();
}

void Exploration::show_sensitivity(std::shared_ptr<const SensitivityRun> sensitivity) {
  auto next = std::make_shared<ExplorationState>(*state_->shown);
  next->sensitivity = std::move(sensitivity);
  state_->shown = std::move(next);
  emit state_changed();
  emit changed();
}

void Exploration::set_look(const SweepLook& look) {
  if (look == state_->shown->look) return;
  auto next = std::make_shared<ExplorationState>(*state_->shown);
  next->look = look;
  state_->shown = std::move(next);
  emit state_changed();
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

}  // namespace convscope::ui
