#pragma once
// How long a layer takes, and what it is made of for views.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/artifact/links.h"
#include "core/artifact/listing.h"
#include "core/artifact/memory_map.h"
#include "core/artifact/metrics.h"
#include "core/artifact/timeline.h"
#include "core/network/network.h"
#include "core/target/compiled.h"
#include "core/target/pass.h"
#include "tests/made/mill/machine.h"

namespace convscope::made::mill {

/// What `prepare` decides: where each layer's grains lie in the barn.
struct BarnPlan : target::NetworkPlan {
  std::vector<std::int64_t> shelves;  ///< first one of each layer
  std::int64_t all = 0;
};
/// `grains` of each layer.
BarnPlan plan_barn(const target::PassRun& run, const std::vector<std::int64_t>& grains);

/// Turns of one layer. The fine level grinds in fewer.
struct Grinding {
  std::string layer;
  std::int64_t grains = 0, sacks = 0;
  std::int64_t cart_turns = 0, stone_turns = 0;
  std::int64_t shelf = 0;  ///< of the barn
  bool fine = false;
  std::int64_t hidden_turns = 0;  ///< of the carts, while the layer before is being ground
  std::int64_t turns() const { return cart_turns - hidden_turns + stone_turns; }
};
Grinding grind(const network::Layer& layer, const Machine& machine, bool fine, std::int64_t shelf);

artifact::Metrics metrics_of(const Grinding& grinding, const Machine& machine);
/// Sums of layers.
artifact::Metrics sum_of(const std::vector<artifact::Metrics>& layers);

/// One section for each layer: the control on its own line, carts, stones.
std::shared_ptr<const artifact::Timeline> timeline_of(const std::vector<Grinding>& layers);
std::shared_ptr<const artifact::Listing> listing_of(const std::vector<Grinding>& layers);
/// The barn, and a hopper for each pair of stones.
std::shared_ptr<const artifact::MemoryMap> memory_map_of(const std::vector<Grinding>& layers, const Machine& machine);
std::shared_ptr<const artifact::Links> links_of(const std::vector<Grinding>& layers);
/// Of the carts and of the stones of a layer, by name: they stay the same in a linked program.
artifact::OperationKey cart_key(const Grinding& grinding);
artifact::OperationKey stone_key(const Grinding& grinding);

}  // namespace convscope::made::mill
