#pragma once
// How a sweep is looked at, as text that a session stores.

#include <string>

#include "ui/model/exploration.h"

namespace convscope::ui {

std::string look_text(const SweepLook& look);
/// What is not understood stays as it usually is.
SweepLook read_look(const std::string& text);

}  // namespace convscope::ui
