// A network in fixed point: the part of the exploration that makes it.

#include <utility>

#include "ui/document/exploration/exploration_state.h"
#include "ui/document/exploration/quantization_work.h"
#include "ui/document/undo/value_edit.h"

namespace convscope::ui {
namespace {

/// What an undo step from one choice to another is called, and what other steps it is one with: those of the same
/// number of pixels, which a pointer or a wheel takes through many values.
struct WishStep {
  QString text;
  int drag = 0;
};

WishStep step_between(const QuantizationWish& before, const QuantizationWish& after) {
  constexpr int of_mean = 0x71756d, of_scale = 0x717573;
  const auto tr = [](const char* text) { return Exploration::tr(text); };
  const reference::PixelScale &was = before.images.pixels, &is = after.images.pixels;
  if (after.images.path != before.images.path)
    return {after.images.path.empty() ? tr("Quantization on made-up inputs")
                                      : tr("Quantization on the images of %1").arg(after.images.path.c_str())};
  if (is.mean != was.mean) return {tr("Mean of pixels %1").arg(is.mean), of_mean};
  if (is.scale != was.scale) return {tr("Scale of pixels %1").arg(is.scale), of_scale};
  if (after.bits != before.bits) return {tr("Quantization to %1 bits").arg(after.bits)};
  if (after.percentile != before.percentile) return {tr("Quantization of %1 % of the values").arg(after.percentile)};
  if (after.per_filter != before.per_filter)
    return {after.per_filter ? tr("A point for each filter") : tr("A point for each tensor")};
  return {tr("Quantization of %1 inputs").arg(after.inputs)};
}

}  // namespace

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
  const QuantizationWish& before = state_->shown->quantization_wish;
  if (wish == before) return;
  const WishStep named = step_between(before, wish);
  auto step = std::make_unique<ValueEdit<QuantizationWish>>(
      named.text, before, wish, [this](const QuantizationWish& to) { state_->take_quantization_wish(to); });
  step->set_drag(named.drag);
  state_->host.push_step(std::move(step));
}

void Exploration::restore_quantization_wish(const QuantizationWish& wish) {
  if (wish != state_->shown->quantization_wish) state_->take_quantization_wish(wish);
}

void Exploration::State::take_quantization_wish(const QuantizationWish& wish) {
  owner.cancel_quantization();
  show([&](ExplorationState& state) { state.quantization_wish = wish; });
  emit owner.quantization_changed();
  emit owner.quantization_wish_changed();
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
