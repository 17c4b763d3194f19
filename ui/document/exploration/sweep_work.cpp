#include "ui/document/exploration/sweep_work.h"

#include <utility>

#include "core/base/cancellation.h"
#include "ui/document/exploration/sweep_publisher.h"
#include "ui/jobs/background_executor.h"

namespace convscope::ui {
namespace {

using explore::SweepEnd;

std::string state_text(SweepEnd end) {
  switch (end) {
    case SweepEnd::finished:
      return "finished";
    case SweepEnd::cancelled:
      return "cancelled";
    case SweepEnd::failed:
      break;
  }
  return "failed";
}

std::unique_ptr<explore::ResultsFile> results_file(const SweepPlan& plan, Diagnostics& diagnostics) {
  const explore::ResultsIdentity identity{"convscope " CONVSCOPE_VERSION, explore::strategy_text(plan.strategy),
                                          plan.strategy.shard};
  return explore::ResultsFile::resume(plan.file, plan.space, identity, diagnostics);
}

SweepEnd compile_points(const SweepPlan& plan, explore::ResultsFile* file, const std::shared_ptr<Gate>& gate,
                        const std::stop_token& stop, const std::function<void(SweepNews)>& tell,
                        Diagnostics& diagnostics) {
  auto strategy = explore::make_strategy(plan.strategy, plan.space);
  SweepPublisher publisher(plan, strategy->total(), tell);
  explore::Sweep sweep(plan.space, std::move(strategy), file);
  SweepEnd end = SweepEnd::failed;
  try {
    const auto executor = make_background_executor(gate, stop, plan.threads);
    const auto cache = explore::make_sweep_cache();
    const explore::SweepListener listener{
        [&](const std::shared_ptr<const explore::PointResult>& result) {
          publisher.add(result);
          gate->pass(stop);  // all threads wait here for each other, so for the user, too
        },
        {}};
    end = sweep.run(*executor, *cache, stop, listener, diagnostics);
    if (end == SweepEnd::finished && file != nullptr && !file->finish(diagnostics)) end = SweepEnd::failed;
  } catch (const std::exception& error) {
    diagnostics.error({}, std::string("the sweep failed: ") + error.what());
  }
  const std::string why = diagnostics.empty() ? std::string() : ": " + diagnostics.items().front().what;
  publisher.finish(state_text(end) + (end == SweepEnd::failed ? why : std::string()));
  return end;
}

}  // namespace

SweepOutcome run_sweep(const SweepPlan& plan, const std::shared_ptr<Gate>& gate, const std::stop_token& stop,
                       const std::function<void(SweepNews)>& tell) {
  lower_priority();
  SweepOutcome outcome;
  std::unique_ptr<explore::ResultsFile> file;
  if (!plan.file.empty()) {
    file = results_file(plan, outcome.diagnostics);
    if (!file) {
      outcome.end = SweepEnd::failed;
      return outcome;
    }
  }
  outcome.end = compile_points(plan, file.get(), gate, stop, tell, outcome.diagnostics);
  return outcome;
}

}  // namespace convscope::ui
