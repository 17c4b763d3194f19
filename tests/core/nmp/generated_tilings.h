#pragma once
// Tilings of every strategy, chosen at random: programs must be right for all of them, not for the best alone.

#include <optional>

#include "core/nmp/cost/cost_model.h"
#include "random_problems.h"

namespace convscope::nmp {

/// A machine that programs can be made for.
inline Machine plain(Machine machine) {
  machine.borders = Borders::exact;
  machine.double_buffering = false;
  machine.shared_bytes = 0;
  return machine;
}

/// A tiling that fits; nothing if none was found by trying.
inline std::optional<Tiling> random_tiling(const CostModel& model, RandomProblems& random) {
  if (model.sums().chunk == 0) return std::nullopt;
  for (int attempt = 0; attempt < 200; ++attempt) {
    Tiling t;
    t.partition = partitions[random.pick(3)];
    t.schedule = schedules[random.pick(3)];
    const auto& part = model.sums().of(t.partition);
    t.rows = 1 + random.pick(part.slice_rows);
    t.columns = 1 + random.pick(model.convolution().columns.out);
    t.channels = 1 + random.pick(model.channel_limit(t.partition, t.schedule));
    t.units = 1 + random.pick(part.tlt_units);
    if (model.in_range(t) && model.occupancy(t).fits(model.machine())) return t;
  }
  return std::nullopt;
}

}  // namespace convscope::nmp
