#include "core/snowflake/plan/load_units.h"

#include <algorithm>

namespace convscope::snowflake {

int UnitChoice::take(const std::vector<int>& pattern, std::size_t& next, int words) {
  const auto unit = pattern.empty()
                        ? static_cast<std::size_t>(std::min_element(words_.begin(), words_.end()) - words_.begin())
                        : static_cast<std::size_t>(pattern[next++ % pattern.size()]) % words_.size();
  words_[unit] += words;
  return static_cast<int>(unit);
}

void UnitChoice::add(std::vector<MapLoad>& loads) {
  for (MapLoad& load : loads) add(load);
}

void UnitChoice::add(KernelLoad& load) {
  load.units.clear();
  for (int i = 0; i < load.vmacs; ++i) load.units.push_back(take(mapping_.units.kernels, next_kernel_, load.words));
}

void UnitChoice::add(FirstLoads& loads) {
  for (std::size_t i = 0; i < loads.early; ++i) add(loads.maps[i]);
  for (PlacedKernels& kernels : loads.kernels) add(kernels.load);
  for (std::size_t i = loads.early; i < loads.maps.size(); ++i) add(loads.maps[i]);
}

}  // namespace convscope::snowflake
