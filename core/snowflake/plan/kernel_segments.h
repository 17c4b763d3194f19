#pragma once
// The kernel tiles of a layer in the order in which blocks compute them.

#include <cstdint>
#include <vector>

#include "core/snowflake/plan/layer_shape.h"

namespace convscope::snowflake {

/// Consecutive kernel tiles whose slots [first_slot, first_slot + slots) a block computes.
struct Segment {
  int tile = 0, tiles = 1, first_slot = 0, slots = 1;
  std::uint8_t cus = 0;
  int group = 0;
};

/// Slots per group of channels that have inputs of their own; 0 if there are no groups to be kept apart.
int slots_per_group(const LayerShape& shape, const KernelShape& kernels);

/// As few as can be: tiles that lie alike are one loop.
std::vector<Segment> kernel_segments(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                                     const KernelShape& kernels);

/// Every tile alone; every slot alone.
std::vector<Segment> single_tiles(const std::vector<Segment>& segments);
std::vector<Segment> single_slots(const std::vector<Segment>& segments);

}  // namespace convscope::snowflake
