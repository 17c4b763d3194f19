#include "core/explore/results/sweep_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace convscope::explore {

const SweepColumn* SweepTable::column(std::string_view key) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const SweepColumn& c) { return c.key == key; });
  return found == columns.end() ? nullptr : &*found;
}

std::optional<std::size_t> SweepTable::row(std::uint64_t point) const {
  const auto found = std::lower_bound(points.begin(), points.end(), point);
  if (found == points.end() || *found != point) return std::nullopt;
  return static_cast<std::size_t>(found - points.begin());
}

std::string column_text(const SweepColumn& column, double value) {
  if (std::isnan(value)) return {};
  if (!column.names.empty()) return column.names[static_cast<std::size_t>(value)];
  if (column.kind == ColumnKind::objective) return format_quantity({value, column.unit, column.origin});
  const std::string number = fmt::format("{:.12g}", value);
  return column.unit.empty() ? number : number + ' ' + column.unit;
}

}  // namespace convscope::explore
