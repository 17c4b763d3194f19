#pragma once
// Programs that a convolution of a network can have: for each pair of layouts the fastest that is known.

#include <cstdint>
#include <string>
#include <vector>

#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/machine.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/store/store.h"

namespace convscope::cpu {

struct ProgramChoice {
  Path path;
  Layout image, output;                   ///< the output's channels are called C, as those of the tensor it becomes
  double seconds = 0;                     ///< as in a network: in turn with others
  bool measured = false;                  ///< on this host; else by estimate
  std::string compiler = {}, flags = {};  ///< that made what was measured
};

/// Of those that the store has of this host and that err no more than the latest search allowed; of none, the best
/// estimates of `machine.ranked` draws. A program that only ran alone, with its tensors in the caches, is reckoned as
/// much slower as the middle one is of those that ran both ways. Layouts with blocks along a row are left out: other
/// steps don't take them. Empty if the tree has no path.
std::vector<ProgramChoice> choices_of(const Problem& problem, const Store& store, const std::string& host,
                                      const Machine& machine);

}  // namespace convscope::cpu
