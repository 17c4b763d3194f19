#pragma once
// What several images at once take with a layer's tiling.

#include "core/artifact/batch.h"
#include "core/nmp/search/solution.h"

namespace convscope::nmp {

/// Whether a tiling loads each weight once while all of an image passes: then further images can pass as well. So it is
/// with weight stationary tilings, and with input stationary ones that hold all filters of a TLT (Algorithm 3).
bool keeps_weights(const Convolution& convolution, const Machine& machine, const Solution& solution);

/// Of a fully connected layer, all images as the pixels of one map with the best tiling of that, where it is faster
/// than the following. Otherwise the tiling of one image, with the loop over images within those over filters and
/// channels where weights are kept, around all others where they aren't. Equation 6 with weights counted once; where
/// the time isn't equation 6's (banks, doubled memories, free-running TLEs), kept weights save bytes, and the time is
/// that of as many images.
artifact::BatchFigures batch_figures(const Convolution& convolution, const Machine& machine, CostLevel level,
                                     const Solution& solution, const artifact::Metrics& one, std::int64_t images);

}  // namespace convscope::nmp
