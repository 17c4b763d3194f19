#pragma once
// What a network is calibrated with: images of a folder, or values made up.

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/base/diagnostic.h"
#include "core/reference/executor.h"

namespace convscope::cli {

struct CalibrationInputs {
  std::string images;  ///< a folder; empty: made up
  double mean = 0, scale = 255;
  std::uint64_t seed = 1;
  int count = 4;  ///< of those made up

  void add_to(CLI::App& command);
  /// Empty, or errors, if the graph doesn't take one image or has no complete shapes. `network` names it for people.
  std::vector<reference::FloatTensors> make(const network::Graph& graph, const std::string& network,
                                            Diagnostics& diagnostics) const;
};

}  // namespace convscope::cli
