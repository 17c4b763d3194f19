#pragma once
// A layer whose tiling is chosen, as what joins layers sees it.

#include <string>

#include "core/nmp/architecture/machine.h"
#include "core/nmp/cost/convolution.h"
#include "core/nmp/cost/tiling.h"
#include "core/nmp/generate/computing.h"
#include "core/target/compiled.h"

namespace convscope::nmp {

/// A layer with its tiling: all that its program is made of.
struct LayerWork {
  std::string name;
  Convolution convolution;
  Computing computing;
  Machine machine;  ///< `doubled` as the search chose it
  CostLevel level = CostLevel::burst;
  Tiling tiling;
  std::string no_program;  ///< why there is none; empty if there is one
};

class SolvedLayer : public target::CompiledLayer {
 public:
  virtual const LayerWork& work() const = 0;
};

}  // namespace convscope::nmp
