#include "ui/views/exploration.h"

#include <algorithm>

namespace convscope::ui {

bool SweepLook::within(const explore::SweepTable& table, std::size_t row) const {
  return std::all_of(brushes.begin(), brushes.end(), [&](const auto& brush) {
    const explore::SweepColumn* column = table.column(brush.first);
    return column == nullptr || (column->values[row] >= brush.second.from && column->values[row] <= brush.second.to);
  });
}

}  // namespace convscope::ui
