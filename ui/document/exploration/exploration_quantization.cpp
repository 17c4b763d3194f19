// A network in fixed point: the part of the exploration that makes it.

#include <utility>

#include "ui/document/exploration/exploration_state.h"
#include "ui/document/exploration/quantization_work.h"

namespace convscope::ui {

void Exploration::State::show_quantization(std::shared_ptr<const QuantizationRun> run) {
  show([&](ExplorationState& state) {
    state.quantization = std::move(run);
    state.quantizing = quantization.running();
  });
  emit owner.quantization_changed();
}

void Exploration::quantize(const QuantizationWish& wish) {
  const auto network = state_->host.network();
  if (!network) return;
  set_quantization_wish(wish);
  state_->quantization.forget();
  state_->quantized_beside = state_->host.settings().target;
  const auto show = [this](const std::shared_ptr<const QuantizationRun>& run) { state_->show_quantization(run); };
  state_->quantization.start([network, wish, gate = state_->gate, show](const Job& job) -> Deliver {
    const auto tell = [&](std::shared_ptr<const QuantizationRun> run) {
      job.tell([show, run = std::move(run)] { show(run); });
    };
    return [show, run = run_quantization(network, wish, gate, job.stop(), tell)] { show(run); };
  });
  auto begun = std::make_shared<QuantizationRun>();
  begun->network = network;
  begun->wish = wish;
  show(std::move(begun));
}

void Exploration::cancel_quantization() {
  if (!quantizing()) return;
  state_->quantization.forget();
  state_->show_quantization(nullptr);
}

void Exploration::set_quantization_wish(const QuantizationWish& wish) {
  if (wish == state_->shown->quantization_wish) return;
  cancel_quantization();
  state_->show([&](ExplorationState& state) { state.quantization_wish = wish; });
  emit quantization_changed();
}

void Exploration::host_changed() {
  const auto& run = state_->shown->quantization;
  const bool same_network = run && run->network == state_->host.network();
  if (!same_network || state_->quantized_beside != state_->host.settings().target) cancel_quantization();
}

bool Exploration::quantizing() const {
  return state_->quantization.running();
}

}  // namespace convscope::ui
