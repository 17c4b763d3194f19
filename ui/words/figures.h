#pragma once
// Figures as tables and trees show them: numbers, and where they come from.

#include <QString>
#include <cstdint>

#include "core/base/quantity.h"

namespace convscope::ui {

/// Role under which a figure is sorted and read by programs: a double, or a text.
inline constexpr int value_role = Qt::UserRole;
/// Role under which a figure says where it comes from: a name as in `report --json`; invalid for what is no figure.
inline constexpr int origin_role = Qt::UserRole + 4;

/// "12,345,678": grouped by thousands, all digits.
QString count_text(std::int64_t value);
/// "87.3 %".
QString percent_text(double ratio);
/// At most four significant digits; ratios with two decimals.
QString quantity_text(const Quantity& quantity);
/// "simulated", "derived from the verified program", … as a sentence for a tooltip.
QString origin_text(Origin origin);
/// A small mark to stand behind a figure: ᵐ measured, ˢ simulated, ᵈ derived, ≈ estimate, ᵖ published.
QString origin_mark(Origin origin);

}  // namespace convscope::ui
