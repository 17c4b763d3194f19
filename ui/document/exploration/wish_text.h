#pragma once
// What a user chooses of a quantization, as text that a session stores.

#include <string>

#include "ui/model/exploration.h"

namespace convscope::ui {

/// All but the folder of images, which a session refers to by its own place.
std::string wish_text(const QuantizationWish& wish);
/// Without a folder. What is not understood, or beyond what the view offers, stays as it usually is.
QuantizationWish read_wish(const std::string& text);

}  // namespace convscope::ui
