#pragma once
// Which points of a space are looked at, in which order.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/explore/results/front.h"
#include "core/explore/space/space.h"

namespace convscope::explore {

enum class StrategyKind {
  grid,    ///< every point
  random,  ///< `budget` different points, drawn from `seed`
  refine   ///< a coarse grid first; then neighbours of the front, nearer each round, at most `budget` points
};

struct StrategyOptions {
  StrategyKind kind = StrategyKind::grid;
  std::uint64_t budget = 0;  ///< 0: no limit, for grid and refine only
  std::uint64_t seed = 1;
  Shard shard;  ///< grid and random only: each round of refinement needs the whole front
};

/// As results files state it, e.g. "random seed=1".
std::string strategy_text(const StrategyOptions& options);

/// False, with a diagnostic, if the strategy can't be used on the space.
bool check_strategy(const StrategyOptions& options, const Space& space, Diagnostics& diagnostics);

/// Hands out points in batches. What it does depends on results alone, never on time or threads.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// Points to look at next, ascending, none handed out before; empty at the end. `front` is that of all points handed
  /// out before.
  virtual std::vector<std::uint64_t> next(const Front& front) = 0;
  /// How many points it hands out in all; nothing if that depends on results.
  virtual std::optional<std::uint64_t> total() const { return std::nullopt; }
};

/// For options that check_strategy accepts.
std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options, std::shared_ptr<const Space> space);

}  // namespace convscope::explore
