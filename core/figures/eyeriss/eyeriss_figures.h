#pragma once
// Layer times of a machine like Eyeriss beside those that were measured on it (JSSC 2017, Tables V and VI). Nothing in
// preset `eyeriss` is fitted to them.

#include "core/figures/figure.h"

namespace convscope::figures {

/// Both return nothing, with diagnostics, if the preset is missing, and throw Cancelled if stopped.
std::optional<Figure> eyeriss_alexnet(const Environment& environment, Diagnostics& diagnostics);
std::optional<Figure> eyeriss_vgg16(const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
