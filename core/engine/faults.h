#pragma once
// Programs that we made and refuse ourselves: neither the network nor the machine is wrong, we are.

#include <string>
#include <vector>

#include "core/engine/engine.h"

namespace convscope::engine {

struct Fault {
  std::string layer;  ///< its name; empty: the network's linked program
  std::string what;
  /// "layer 'L1': what"
  std::string text() const { return layer.empty() ? what : "layer '" + layer + "': " + what; }
};

/// In the order of the layers.
std::vector<Fault> faults(const CompiledNetwork& compiled);

}  // namespace convscope::engine
