#include "ui/model/exploration.h"

#include <algorithm>

namespace convscope::ui {

bool SweepLook::within(const explore::SweepTable& table, std::size_t row) const {
  return std::all_of(brushes.begin(), brushes.end(), [&](const auto& brush) {
    const explore::SweepColumn* column = table.column(brush.first);
    return column == nullptr || (column->values[row] >= brush.second.from && column->values[row] <= brush.second.to);
  });
}

std::vector<std::uint8_t> SweepLook::rows_within(const explore::SweepTable& table) const {
  std::vector<std::uint8_t> within(table.rows(), 1);
  for (const auto& [key, range] : brushes) {
    const explore::SweepColumn* column = table.column(key);
    if (column == nullptr) continue;
    for (std::size_t row = 0; row < within.size(); ++row) {
      const double value = column->values[row];
      within[row] &= static_cast<std::uint8_t>(value >= range.from && value <= range.to);
    }
  }
  return within;
}

}  // namespace convscope::ui
