#pragma once
// Text of core/ for the window, and whole numbers in readings.

#include <QString>
#include <cstdint>
#include <string_view>

namespace convscope::ui {

QString to_text(std::string_view utf8);
/// Digits in groups of three, for readings: "1 048 576".
QString grouped(std::int64_t value);

}  // namespace convscope::ui
