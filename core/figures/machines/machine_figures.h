#pragma once
// Modern networks on every machine that the program has.

#include <optional>

#include "core/figures/figure.h"

namespace convscope::figures {

/// SqueezeNet, MobileNetV2 and ResNet-50, each on NVE, NMP, Snowflake and a CPU: time, speed, share of the peak, bytes
/// moved, and how much of the network that is.
std::optional<Figure> machines_side_by_side(const Environment& environment, Diagnostics& diagnostics);

}  // namespace convscope::figures
