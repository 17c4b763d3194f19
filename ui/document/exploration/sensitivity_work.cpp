#include "ui/document/exploration/sensitivity_work.h"

#include <chrono>

#include "core/base/cancellation.h"
#include "core/explore/sweep/sweep.h"
#include "ui/jobs/background_executor.h"

namespace convscope::ui {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto sensitivity_interval = std::chrono::milliseconds(100);

}  // namespace

QString run_sensitivity(const engine::Request& request, const std::shared_ptr<Gate>& gate, const std::stop_token& stop,
                        const std::function<void(std::shared_ptr<const SensitivityRun>)>& tell) {
  SensitivityRun run{request.network, request.target, request.machine, request.level, {}, false};
  Clock::time_point told{};
  const auto publish = [&] {
    if (Clock::now() - told < sensitivity_interval) return;
    told = Clock::now();
    tell(std::make_shared<const SensitivityRun>(run));
  };
  try {
    lower_priority();
    gate->pass(stop);
    const auto executor = make_background_executor(gate, stop);
    const auto cache = explore::make_sweep_cache();
    run.result = explore::analyze_sensitivity(
        request, {}, *executor, *cache, stop,
        [&](const explore::Change& change) {
          run.result.changes.push_back(change);
          publish();
        },
        {},
        [&](const explore::MachineStanding& before) {
          run.result.before = before;
          publish();
        });
    run.complete = true;
    tell(std::make_shared<const SensitivityRun>(std::move(run)));
  } catch (const Cancelled&) {
    return {};
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

}  // namespace convscope::ui
