#pragma once
// Text of core/ for the window.

#include <QString>
#include <string_view>

namespace convscope::ui {

QString to_text(std::string_view utf8);

}  // namespace convscope::ui
