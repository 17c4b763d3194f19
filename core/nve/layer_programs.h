#pragma once
// What a compiled layer of NVE has besides what every target's has: programs as values, and how its pixels lie.

#include <vector>

#include "core/nve/architecture/program.h"
#include "core/nve/layout/layout.h"

namespace convscope::nve {

class LayerPrograms {
 public:
  virtual ~LayerPrograms() = default;
  virtual const Layout& layout() const = 0;
  virtual std::vector<Program> programs() const = 0;
};

}  // namespace convscope::nve
