#include "core/snowflake/verify/verify_finished.h"

#include <algorithm>

namespace convscope::snowflake::verification {

void FinishedLoads::vector_waits(const LoadId& load, std::int64_t vector) {
  std::deque<Wait>& waits = units_[static_cast<std::size_t>(load.unit)].waits;
  if (!waits.empty() && waits.back().number >= load.number) return;
  if (!waits.empty() && waits.back().vector == vector)
    waits.back().number = load.number;
  else
    waits.push_back({vector, load.number});
  while (waits.size() > 1 && waits[1].vector < vector - queue_) waits.pop_front();
}

void FinishedLoads::control_waited(const LoadId& load) {
  std::int64_t& finished = units_[static_cast<std::size_t>(load.unit)].finished;
  finished = std::max(finished, load.number);
}

bool FinishedLoads::over(const LoadId& load, std::int64_t before) const {
  const Unit& unit = units_[static_cast<std::size_t>(load.unit)];
  if (unit.finished >= load.number) return true;
  const auto later = std::partition_point(unit.waits.begin(), unit.waits.end(),
                                          [&](const Wait& wait) { return wait.vector < before; });
  return later != unit.waits.begin() && (later - 1)->number >= load.number;
}

}  // namespace convscope::snowflake::verification
