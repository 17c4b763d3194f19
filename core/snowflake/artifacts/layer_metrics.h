#pragma once
// Figures of layers and networks from simulated programs.

#include <string>
#include <vector>

#include "core/artifact/metrics.h"
#include "core/snowflake/architecture/program.h"
#include "core/snowflake/simulate/result.h"

namespace convscope::snowflake {

/// What the compiler decided, in the paper's words, for tables; pools have rows alone.
struct DecisionTexts {
  std::string mac_mode;   ///< "COOP", "INDP"
  std::string broadcast;  ///< "maps", "kernels"
  std::string loop;       ///< "Kloop", "Mloop"
  int tile_rows = 0, kernels_per_vmac = 0;
};

/// A layer's part of a simulated run.
struct MeteredLayer {
  std::int64_t macs = 0;         ///< of the network's layer, windows over padding counted whole, as everywhere
  std::int64_t valid_macs = 0;   ///< those with pixels of the image
  std::int64_t least_bytes = 0;  ///< each tensor once
  LayerRun run;
  double imbalance = 0;   ///< of its load sections, 0 is balanced
  std::int64_t code = 0;  ///< instructions in memory
  bool verified = false;
  bool overlaps = false;  ///< work of it may be done before the layers before it end, from where its cycles count
};

/// Seconds, cycles and traffic as simulated. Utilization = valid MACs / (cycles * MACs of the machine).
artifact::Metrics layer_metrics(const MeteredLayer& layer, const DecisionTexts& texts, const Machine& machine);

/// A layer that costs nothing of its own: computed by another one, named in the explanation.
artifact::Metrics folded_metrics(std::int64_t macs);

/// Sums; the imbalance is the mean weighted by LDs.
artifact::Metrics total_metrics(const std::vector<artifact::Metrics>& layers, const Machine& machine);

}  // namespace convscope::snowflake
