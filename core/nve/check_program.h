#pragma once
// Runs programs on an image and compares every output pixel, and the accumulator before its activation, with the
// fixed-point reference.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/nve/architecture/program.h"
#include "core/nve/simulation_options.h"
#include "core/reference/convolution.h"

namespace convscope::nve {

/// The part of a layer that a program computes: its maps with their connections; other maps have no inputs.
network::Layer layer_of(const Program& program);

struct ProgramCheck {
  bool ran = false;         ///< false: refused with diagnostics (hazard, bad input)
  bool matches = false;     ///< every output and its accumulator equal the fixed-point reference's
  std::int64_t cycles = 0;  ///< of all strips that were run
  std::int64_t macs = 0;
  std::int64_t strips = 0;
  std::int64_t outputs = 0;  ///< output pixels that were compared
};

/// Simulates the programs, each on as many strips as the input says. All programs must belong to `layer`. A hazard or a
/// differing pixel is a diagnostic that names program, strip, cycle or map, row and column.
ProgramCheck check_programs(const std::vector<Program>& programs, const network::Layer& layer,
                            const SimulationInput& input, const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::nve
