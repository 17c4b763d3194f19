#pragma once
// A sweep in the background: how it is asked for, and what it tells while it runs.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/explore/results/sweep_table.h"
#include "core/explore/sweep/sweep.h"
#include "ui/jobs/gate.h"

namespace convscope::ui {

struct SweepPlan {
  std::shared_ptr<const explore::Space> space;
  explore::StrategyOptions strategy;  ///< that check_strategy accepts
  std::string file;                   ///< results file to make, or to go on with; empty: results are only shown
  int threads = 0;                    ///< 0: as many as the machine has for it
};

/// How far a sweep is.
struct SweepProgress {
  std::uint64_t size = 0, seen = 0;      ///< points of the space; those that were compiled or removed
  std::optional<std::uint64_t> planned;  ///< that the strategy hands out, if that is known
  std::uint64_t on_front = 0;
  double points_a_second = 0;          ///< lately; 0: not known yet
  std::optional<double> seconds_left;  ///< if `planned` and the speed are known
  bool running = false;
};

struct SweepNews {
  std::shared_ptr<const explore::SweepTable> table;
  SweepProgress progress;
};

struct SweepOutcome {
  explore::SweepEnd end = explore::SweepEnd::finished;
  Diagnostics diagnostics;  ///< why it failed
};

/// Runs the sweep to its end, on this thread and others of low priority. `tell` is called from another thread, at most
/// ten times a second, at the begin before any point and at the end with all of them.
SweepOutcome run_sweep(const SweepPlan& plan, const std::shared_ptr<Gate>& gate, const std::stop_token& stop,
                       const std::function<void(SweepNews)>& tell);

}  // namespace convscope::ui
