#pragma once
// Tables 4.1 to 4.3 of "Automatic Program Generation for Convolutional Neural Networks on Resource Constrained
// Devices": temporary memory of generated programs beside that of im2col.

#include "core/figures/figure.h"

namespace convscope::figures {

/// `number`: "4.1", "4.2", "4.3", each on the preset of its machine. Nothing, with diagnostics, if something that it
/// needs is missing; throws Cancelled if stopped.
std::optional<Figure> genvolution_memory(const char* number, const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
