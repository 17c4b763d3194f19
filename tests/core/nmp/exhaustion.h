#pragma once

#include <optional>

#include "core/nmp/search/search.h"

namespace convscope::nmp {

// The best of all tilings of every partition and schedule, one after another: what the search is held to.
inline std::optional<Candidate> exhaust(const CostModel& model) {
  std::optional<Candidate> best;
  if (model.sums().chunk == 0) return best;
  for (const Partition p : model.partitions())
    for (const Schedule s : schedules) {
      const auto found = exhaustive_tiling(model, p, s).best;
      if (found && (!best || better(*found, *best))) best = found;
    }
  return best;
}

}  // namespace convscope::nmp
