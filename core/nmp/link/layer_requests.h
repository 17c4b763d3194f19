#pragma once
// Which layers a network's program has, of a batch's images as many together as there is room for.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/nmp/generate/generate.h"
#include "core/nmp/link/dataflow.h"

namespace convscope::nmp {

/// What a step computes with, where it isn't seeded data.
struct StepNumbers {
  NumberFormat format;
  std::optional<Computing> computing = {};  ///< of functions, whose factors or table are those of their formats
  std::vector<std::int32_t> biases = {};   ///< of all output maps, with the fraction bits of input and weights together
  std::vector<std::int32_t> weights = {};  ///< as they lie in DRAM; empty: it has none of its own
  std::vector<std::vector<std::int32_t>> more_weights = {};  ///< constants behind the second operand, alike
};

struct LayerRequest {
  std::size_t step = 0;  ///< of the flow
  ProgramRequest program;
};

struct LayerRequests {
  std::vector<LayerRequest> layers;  ///< in their order: all images of a step before the next step
  std::string reason;                ///< why there are none
};

/// As many images together as tables have room for behind `first_byte` of a data RAM, and in equal shares: weights that
/// stay are then loaded as few times as can be. Storages hold `images` one after the other. `numbers`: of each step;
/// none: of seeded data. Throws Cancelled.
LayerRequests request_layers(const Dataflow& flow, const std::vector<const SolvedLayer*>& solved, int images,
                             int first_byte, const std::vector<StepNumbers>& numbers, const std::stop_token& stop);

}  // namespace convscope::nmp
