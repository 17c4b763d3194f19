#pragma once
// Runs programs on an image and compares every output pixel with the fixed-point reference.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/nve/architecture/program.h"
#include "core/reference/convolution.h"
#include "core/target/target.h"

namespace convscope::nve {

/// The part of a layer that a program computes: its maps with their connections; other maps have no inputs.
network::Layer layer_of(const Program& program);

/// Simulates the first `strips` strips (0: all) of each program. All programs must belong to `layer`. A hazard or a
/// differing pixel is a diagnostic that names program, strip, cycle or map, row and column.
target::SimulationResult check_programs(const std::vector<Program>& programs, const network::Layer& layer,
                                        const target::SimulationInput& input, int strips, const std::stop_token& stop,
                                        Diagnostics& diagnostics);

}  // namespace convscope::nve
