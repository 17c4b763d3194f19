#pragma once
// Which layers a network's program has, of a batch's images as many together as there is room for.

#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/generate/generate.h"
#include "core/nmp/link/dataflow.h"

namespace convscope::nmp {

struct LayerRequest {
  std::size_t step = 0;  ///< of the flow
  ProgramRequest program;
};

struct LayerRequests {
  std::vector<LayerRequest> layers;  ///< in their order: all images of a step before the next step
  std::string reason;                ///< why there are none
};

/// As many images together as tables have room for behind `first_byte` of a data RAM, and in equal shares: weights that
/// stay are then loaded as few times as can be. Storages hold `images` one after the other. Of seeded data. Throws
/// Cancelled.
LayerRequests request_layers(const Dataflow& flow, const std::vector<const SolvedLayer*>& solved, int images,
                             int first_byte, const std::stop_token& stop);

}  // namespace convscope::nmp
