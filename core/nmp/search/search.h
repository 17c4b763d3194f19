#pragma once
// The best tiling of a convolution (Algorithms 1 and 3), proven: the same answer as trying every size.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/cost/cost_model.h"

namespace convscope::nmp {

/// A tiling with its price under the cost level that it was chosen by.
struct Candidate {
  Tiling tiling;
  Totals totals;
  double price = 0;  ///< seconds
};

struct SearchOptions {
  CostLevel level = CostLevel::burst;
  std::optional<Partition> partition;  ///< fixed, if given
  std::optional<Schedule> schedule;
};

/// Order of preference: price; then the larger width, the larger tile, and the order of the space itself, so that the
/// answer never depends on how the space was walked through.
bool better(const Candidate& a, const Candidate& b);

/// Price of a tiling under a level: what the search minimizes, in seconds.
double price_of(const CostModel& model, const Tiling& tiling, const Totals& totals, CostLevel level);

/// Tilings (or groups of them) that are looked at between two looks at the stop token; each takes well below a
/// microsecond. At level banked, where a look takes longer, every tiling that is priced counts as that many.
inline constexpr std::int64_t search_poll_interval = 4096;

/// What a search took, counted: the same for every run.
struct SearchEffort {
  std::int64_t looks = 0;               ///< tilings and groups of tilings
  std::int64_t polls = 0;               ///< of the stop token
  std::int64_t most_between_polls = 0;  ///< looks
};

/// The best tiling; nothing if none fits. Throws Cancelled.
std::optional<Candidate> best_tiling(const CostModel& model, const SearchOptions& options, const std::stop_token& stop,
                                     SearchEffort* effort = nullptr);

/// Every tiling of one strategy, priced one by one by bursts, without any bound.
struct Exhaustive {
  std::optional<Candidate> best;
  std::int64_t tilings = 0;  ///< points of the space, those that overrun a memory included
};
Exhaustive exhaustive_tiling(const CostModel& model, Partition partition, Schedule schedule);

/// Why no tiling at all fits: the memories that the smallest one overruns, by how much, and the parameter values that
/// would do; empty if one fits.
std::string no_tiling(const CostModel& model);
/// The same of one strategy's smallest tiling.
std::string smallest_violation(const CostModel& model, Partition partition, Schedule schedule);

}  // namespace convscope::nmp
