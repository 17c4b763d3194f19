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

/// Every set of symmetric points ± p/q, p <= 9, q <= 8 (49 of them, so 1,176 pairs), with 0 if their number is odd, is
/// measured on small data; the best `kept`, and the usual and the accurate points, are measured as `setup` says and
/// ranked by max |e|. At most two pairs, else nothing, with diagnostics: three make 18,424 sets. Exhaustive within
/// these sets; on other data close ranks may change places. Throws Cancelled.
std::optional<std::vector<RankedPoints>> search_points(int m, int r, const ErrorSetup& setup, int kept,
                                                       const std::stop_token& stop, const ProgressCallback& progress,
                                                       Diagnostics& diagnostics);

}  // namespace convscope::winograd
