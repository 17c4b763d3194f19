#include <algorithm>

#include "core/nmp/search/search.h"

namespace convscope::nmp {

Exhaustive exhaustive_tiling(const CostModel& model, Partition partition, Schedule schedule) {
  Exhaustive result;
  const Machine& m = model.machine();
  const int slice_rows = model.sums().of(partition).slice_rows, units = model.sums().of(partition).tile_units;
  const int channels = model.channel_limit(partition, schedule);
  Tiling t{partition, schedule, 1, 1, 1, 1};
  for (t.rows = 1; t.rows <= slice_rows; ++t.rows)
    for (t.columns = 1; t.columns <= model.convolution().columns.out; ++t.columns) {
      result.tilings += std::int64_t{channels} * units;
      t.channels = t.units = 1;
      const Occupancy one = model.occupancy(t);
      if (one.input > m.input_room()) continue;
      for (t.units = 1; t.units <= units; ++t.units)
        for (t.channels = 1; t.channels <= channels; ++t.channels) {
          const Occupancy o = model.occupancy(t);
          if (o.input > m.input_room()) break;  // more channels only take more
          if (!o.fits(m)) continue;
          const Totals totals = model.evaluate(t);
          const Candidate candidate{t, totals, price_of(model, t, totals, CostLevel::burst)};
          if (!result.best || better(candidate, *result.best)) result.best = candidate;
        }
    }
  return result;
}

}  // namespace convscope::nmp
