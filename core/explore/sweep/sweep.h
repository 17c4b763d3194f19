#pragma once
// A sweep: the points that a strategy hands out, compiled on every core, their results stored and told as they come.

#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/cancellation.h"
#include "core/engine/engine.h"
#include "core/explore/results/front.h"
#include "core/explore/results/results_file.h"
#include "core/explore/sweep/evaluate.h"
#include "core/explore/sweep/strategy.h"

namespace convscope::explore {

/// How far a sweep is. Points of an earlier run that it goes on with count as seen.
struct SweepState {
  std::uint64_t size = 0;                        ///< of the space
  std::uint64_t seen = 0;                        ///< points with a row: compiled or removed
  std::uint64_t compiled = 0;                    ///< by this run
  std::optional<std::uint64_t> planned;          ///< that the strategy hands out, if that is known
  std::map<std::string, std::uint64_t> removed;  ///< points without figures, by reason
  std::map<std::string, std::uint64_t> failed;   ///< points that we failed at, by reason
  std::vector<Front::Member> front;
  double share() const { return size > 0 ? static_cast<double>(seen) / static_cast<double>(size) : 0; }
};

enum class SweepEnd { finished, cancelled, failed };

struct SweepListener {
  /// On worker threads, one at a time, after the point is stored; those of an earlier run too.
  std::function<void(const std::shared_ptr<const PointResult>&)> point_done;
  ProgressCallback progress;  ///< likewise; at most twenty times a second
};

/// Runs once, on the thread that calls run(); everything else may be asked from any thread meanwhile.
class Sweep {
 public:
  /// `file` may be null: then results are only told. It must outlive run().
  Sweep(std::shared_ptr<const Space> space, std::unique_ptr<Strategy> strategy, ResultsFile* file);
  ~Sweep();
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;

  /// Keeps results in memory, for results_from(): a window's need, not that of a run of days.
  void keep_results();

  /// Until finished, stopped or failed. What was finished is stored in all three cases; a failure (a full disk) is a
  /// diagnostic.
  SweepEnd run(engine::Executor& executor, target::PassCache& cache, const std::stop_token& stop,
               const SweepListener& listener, Diagnostics& diagnostics);

  SweepState state() const;
  /// Results in the order in which they came, from the given one on: what a window hasn't drawn yet.
  std::vector<std::shared_ptr<const PointResult>> results_from(std::size_t first) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A cache as a sweep wants it: large enough for what neighbouring machines share.
std::unique_ptr<target::PassCache> make_sweep_cache();

}  // namespace convscope::explore
