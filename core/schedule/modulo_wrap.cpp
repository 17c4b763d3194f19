#include "core/schedule/modulo_wrap.h"

#include <algorithm>

#include "core/schedule/reservation_table.h"

namespace convscope::schedule {

std::int64_t longest_span(const Problem& problem, const std::vector<std::int64_t>& cycles,
                          const std::vector<int>& resources) {
  std::int64_t longest = 1;
  for (int resource : resources)
    if (const auto used = span(problem, cycles, resource)) longest = std::max(longest, used->length());
  return longest;
}

bool fits_interval(const Problem& problem, const std::vector<std::int64_t>& cycles, std::int64_t interval) {
  for (const Dependence& d : problem.dependences)
    if (cycles[static_cast<std::size_t>(d.to)] <
        cycles[static_cast<std::size_t>(d.from)] + d.distance - d.iterations * interval)
      return false;
  ReservationTable table(problem, interval);
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (!table.fits(static_cast<int>(i), cycles[i])) return false;
    table.place(static_cast<int>(i), cycles[i]);
  }
  return true;
}

}  // namespace convscope::schedule
