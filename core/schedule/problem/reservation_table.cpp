#include "core/schedule/problem/reservation_table.h"

namespace convscope::schedule {

std::int64_t ReservationTable::slot(const ResourceUse& use, std::int64_t cycle) const {
  std::int64_t at = cycle + use.offset;
  if (modulus_ > 0) at = ((at % modulus_) + modulus_) % modulus_;
  return at * static_cast<std::int64_t>(problem_.resources.size()) + use.resource;
}

bool ReservationTable::fits(int operation, std::int64_t cycle) const {
  for (const ResourceUse& use : problem_.operations[static_cast<std::size_t>(operation)].uses) {
    const auto found = used_.find(slot(use, cycle));
    const int capacity = problem_.resources[static_cast<std::size_t>(use.resource)].capacity;
    if ((found == used_.end() ? 0 : found->second) >= capacity) return false;
  }
  return true;
}

void ReservationTable::change(int operation, std::int64_t cycle, int by) {
  for (const ResourceUse& use : problem_.operations[static_cast<std::size_t>(operation)].uses)
    used_[slot(use, cycle)] += by;
}

}  // namespace convscope::schedule
