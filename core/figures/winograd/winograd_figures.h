#pragma once
// Tables 6.1 and 6.2 and Figs 6-22 to 6-31 of "Automatic Program Generation for Convolutional Neural Networks on
// Resource Constrained Devices", and the errors and memory of Winograd convolution that its text speaks of.

#include "core/figures/figure.h"

namespace convscope::figures {

/// Each makes its figure, or nothing, with diagnostics, if published data is missing. Throws Cancelled if stopped.
std::optional<Figure> winograd_reductions(const Environment& environment, Diagnostics& diagnostics);
std::optional<Figure> winograd_multiplications(const Environment& environment, Diagnostics& diagnostics);
std::optional<Figure> winograd_operations(const Environment& environment, Diagnostics& diagnostics);
std::optional<Figure> winograd_memory(const Environment& environment, Diagnostics& diagnostics);
std::optional<Figure> winograd_errors(const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
