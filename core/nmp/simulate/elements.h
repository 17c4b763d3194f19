#pragma once
// What pools, pairs and activations compute (docs/nmp-program.md, "Other computations"). Private to the simulator.

#include "core/nmp/simulate/convolve.h"

namespace convscope::nmp::simulation {

/// Writes all of OUT. Of computations that are no sums of products with weights.
void compute_elements(const ConvolutionSettings& settings, const ConvolutionTiles& tiles);

}  // namespace convscope::nmp::simulation
