#pragma once
// How well what was typed fits a command.

#include <QString>
#include <optional>

namespace convscope::ui {

/// Every word of `typed`, ignoring case, must occur in `text`: as a run of letters, or letter by letter in order.
/// Higher is better: beginnings of words before other runs, runs before scattered letters, early before late.
/// Nothing if a word doesn't occur; 0 for nothing typed.
std::optional<int> match_score(const QString& typed, const QString& text);

}  // namespace convscope::ui
