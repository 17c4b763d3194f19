#include "ui/document/exploration/quantization_work.h"

#include <chrono>

#include "core/base/cancellation.h"
#include "core/quantization/describe.h"
#include "ui/jobs/background_executor.h"

namespace convscope::ui {
namespace {

constexpr auto quantization_interval = std::chrono::milliseconds(100);

}  // namespace

std::shared_ptr<const QuantizationRun> run_quantization(
    const std::shared_ptr<const network::Network>& network, const QuantizationWish& wish,
    const std::shared_ptr<Gate>& gate, const std::stop_token& stop,
    const std::function<void(std::shared_ptr<const QuantizationRun>)>& tell) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point told{};
  QuantizationRun run{network, wish, nullptr, 0, {}};
  const auto progress = [&](double fraction, const std::string&) {
    gate->pass(stop);  // at every tensor, while the user waits for something else
    if (Clock::now() - told < quantization_interval) return;
    told = Clock::now();
    run.fraction = fraction;
    tell(std::make_shared<const QuantizationRun>(run));
  };
  try {
    lower_priority();
    quantization::DescribeOptions options;
    options.calibration = {wish.bits, wish.percentile, wish.per_filter};
    options.images = wish.images;
    options.seeded_inputs = wish.inputs;
    Diagnostics diagnostics;
    auto result = quantization::describe(*network, {}, options, diagnostics, stop, progress);
    if (result)
      run.result = std::make_shared<const artifact::Quantization>(*std::move(result));
    else
      run.failure = diagnostics.text();
  } catch (const Cancelled&) {
    return nullptr;
  } catch (const std::exception& error) {
    run.failure = error.what();
  }
  return std::make_shared<const QuantizationRun>(std::move(run));
}

}  // namespace convscope::ui
