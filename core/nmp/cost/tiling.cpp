#include "core/nmp/cost/tiling.h"

namespace convscope::nmp {

std::string_view name_of(Partition partition) {
  if (partition == Partition::filters) return "KS";
  if (partition == Partition::channels) return "IFM";
  return partition == Partition::rows ? "OFM" : "KS&OFM";
}

std::string_view name_of(Schedule schedule) {
  if (schedule == Schedule::input_stationary) return "IS";
  return schedule == Schedule::output_stationary ? "OS" : "WS";
}

TleGrid tle_grid(Partition partition, int tles) {
  if (partition == Partition::filters) return {tles, 1, 1};
  if (partition == Partition::rows) return {1, tles, 1};
  if (partition == Partition::channels) return {1, 1, tles};
  int rows = 1;
  for (int d = 2; d * d <= tles; ++d)
    if (tles % d == 0) rows = d;
  return {tles / rows, rows, 1};
}

}  // namespace convscope::nmp
