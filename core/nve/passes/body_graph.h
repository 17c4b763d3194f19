#pragma once
// Task graph of one output map's iteration (thesis, section 4.2, Figs 14 and 15), without writes and activations.

#include <vector>

#include "core/nve/passes/loop.h"

namespace convscope::nve {

/// One map's part of an iteration, with the operations that other passes connect to. Its inputs are numbered from 0: a
/// body depends on how many there are, not on which.
struct Body {
  std::vector<LoopOperation> operations;
  schedule::Problem problem;
  int bottom = -1;  ///< the last `mac`: where bottom-up scheduling starts
  int set_bias = -1;
  int first_weights = -1, last_weights = -1;  ///< weight register
  std::vector<int> first_image, last_image;   ///< image register
};

/// Builds the graph for a map with `connections` inputs. `word_starts` is the coefficient packing: the positions at
/// which a word starts, ascending. Coefficients before the first of them stand in the last word of the body before.
/// `pixels_beside_bias`: whether the image register may be loaded for the first column before `set rb`, which doesn't
/// look at it; the thesis's graphs keep that order.
/// Preconditions (asserted): the kernel's height fits the register layout.
Body build_body(const Window& window, int connections, const std::vector<int>& word_starts,
                const SchedulingMachine& machine, bool pixels_beside_bias = false);

}  // namespace convscope::nve
