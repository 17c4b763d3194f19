#pragma once
// Runs programs on an image and compares every output pixel, and the accumulator before its activation, with the
// fixed-point reference.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/network/network.h"
#include "core/nve/architecture/program.h"
#include "core/nve/layout/layout.h"
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

/// What a layer is run on.
struct LayerData {
  reference::Tensor<std::uint8_t> image;
  reference::Coefficients<std::int16_t> coefficients;  ///< of all maps; biases before their shift
  reference::Activation activation;                    ///< with the programs' shift
  std::uint8_t border = 0;                             ///< pixels outside the image
};

/// Simulates the programs on each part of the layout, on so many strips of each map (0: all), and compares with the
/// reference, which knows of no layout. All programs must belong to the layout's part. A hazard or a differing pixel is
/// a diagnostic that names program, strip, cycle or map, row and column. What leaves the machine goes to `outputs`,
/// unless it is null: of the whole layer's size.
ProgramCheck run_programs(const std::vector<Program>& programs, const Layout& layout, const LayerData& data, int strips,
                          const std::stop_token& stop, Diagnostics& diagnostics,
                          reference::Tensor<std::uint8_t>* outputs = nullptr);

/// The same on the input's image and seeded coefficients, with a sigmoid.
ProgramCheck check_programs(const std::vector<Program>& programs, const Layout& layout, const SimulationInput& input,
                            const std::stop_token& stop, Diagnostics& diagnostics);
/// Of programs that compute the layer as it is.
ProgramCheck check_programs(const std::vector<Program>& programs, const network::Layer& layer,
                            const SimulationInput& input, const std::stop_token& stop, Diagnostics& diagnostics);

}  // namespace convscope::nve
