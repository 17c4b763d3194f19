#include "core/explore/sweep_table.h"

#include <algorithm>

namespace convscope::explore {

const SweepColumn* SweepTable::column(std::string_view key) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const SweepColumn& c) { return c.key == key; });
  return found == columns.end() ? nullptr : &*found;
}

std::optional<std::size_t> SweepTable::row(std::uint64_t point) const {
  const auto found = std::find(points.begin(), points.end(), point);
  if (found == points.end()) return std::nullopt;
  return static_cast<std::size_t>(found - points.begin());
}

}  // namespace convscope::explore
