#include "core/schedule/problem/reservation_table.h"

#include <algorithm>

namespace convscope::schedule {

std::int64_t ReservationTable::slot(const ResourceUse& use, std::int64_t cycle) const {
  std::int64_t at = cycle + use.offset;
  if (modulus_ > 0) at = ((at % modulus_) + modulus_) % modulus_;
  return at * static_cast<std::int64_t>(problem_.resources.size()) + use.resource;
}

// Of one operation, with a use that may stand beside others in its cycle, or come round to them.
std::int64_t ReservationTable::units(const std::vector<ResourceUse>& uses, const ResourceUse& use) const {
  if (uses.size() == 1) return 1;
  return std::count_if(uses.begin(), uses.end(), [&](const ResourceUse& other) {
    return other.resource == use.resource && same_row(other.offset, use.offset, modulus_);
  });
}

bool ReservationTable::fits(int operation, std::int64_t cycle) const {
  const std::vector<ResourceUse>& uses = problem_.operations[static_cast<std::size_t>(operation)].uses;
  return std::all_of(uses.begin(), uses.end(), [&](const ResourceUse& use) {
    const auto found = used_.find(slot(use, cycle));
    const std::int64_t others = found == used_.end() ? 0 : found->second;
    return others + units(uses, use) <= problem_.resources[static_cast<std::size_t>(use.resource)].capacity;
  });
}

void ReservationTable::change(int operation, std::int64_t cycle, int by) {
  for (const ResourceUse& use : problem_.operations[static_cast<std::size_t>(operation)].uses)
    used_[slot(use, cycle)] += by;
}

}  // namespace convscope::schedule
