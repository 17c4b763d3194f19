#pragma once
// Decisions by the paper's rules. Source: "Compiling Deep Learning Models …", sections 5.1 (step 3) and 6.2.

#include <optional>
#include <string>

#include "core/snowflake/plan/layer_blocks.h"

namespace convscope::snowflake {

/// Bytes that a layer moves, and the bandwidth in bytes per second at which they would take as long as its
/// multiply-accumulates (figure 4).
struct RequiredBandwidth {
  double bytes = 0, bandwidth = 0;
};
RequiredBandwidth required_bandwidth(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Multiply-accumulates with pixels of the input, padding not counted.
std::int64_t valid_macs(const LayerShape& shape);

/// The paper's choice: COOP with broadcast maps, one kernel per vMAC, the highest tiles that fit, Kloop or Mloop by
/// required bandwidth. A reason if there is none.
struct Decision {
  Mapping mapping;
  std::string refused;
};
Decision paper_mapping(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine);

}  // namespace convscope::snowflake
