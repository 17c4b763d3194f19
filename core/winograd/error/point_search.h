#pragma once
// Points by measured error.

#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/cancellation.h"
#include "core/base/diagnostic.h"
#include "core/winograd/error/error.h"

namespace convscope::winograd {

struct RankedPoints {
  Points points;
  MeasuredError error;  ///< of the setup that the ranking is by
};

/// Sets that are measured on small data, and how many of them are measured again.
struct SearchBudget {
  int sets = 2048, kept = 16;
};

/// Of all sets of symmetric points ± p/q, p <= 9, q <= 8 (49 of them: 1,176 sets of two, 18,424 of three), with 0 if
/// their number is odd, so many are measured on small data as the budget says; the best `kept`, and the usual and the
/// accurate points, are measured as `setup` says and ranked by max |e|. Exhaustive if the budget has all sets; else
/// half of it is drawn by the setup's seed, and then neighbours of the best are tried, which differ in one point: a
/// local search, no proof. On other data close ranks may change places. One to three pairs, else nothing, with
/// diagnostics. Throws Cancelled.
std::optional<std::vector<RankedPoints>> search_points(int m, int r, const ErrorSetup& setup,
                                                       const SearchBudget& budget, const std::stop_token& stop,
                                                       const ProgressCallback& progress, Diagnostics& diagnostics);

}  // namespace convscope::winograd
