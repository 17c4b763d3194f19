#pragma once
// A whole network's measurement as observations.

#include <optional>
#include <stop_token>

#include "core/base/diagnostic.h"
#include "core/cpu/architecture/machine.h"
#include "core/target/measure.h"

namespace convscope::cpu {

/// Looks at the options `store`, `seed` and `compiler`. Nothing, with diagnostics, if it can't be measured. Throws
/// Cancelled.
std::optional<target::WholeMeasurement> measured_whole(const network::Network& network, const Machine& machine,
                                                       const target::OptionValues& options, const std::stop_token& stop,
                                                       Diagnostics& diagnostics);

}  // namespace convscope::cpu
