#include "core/snowflake/plan/kernel_segments.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

class Segments {
 public:
  Segments(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine, const KernelShape& kernels)
      : s_(shape), mapping_(mapping), machine_(machine), kernels_(kernels) {}

  std::vector<Segment> all() {
    const int whole = s_.channels / kernels_.together, per_group = slots_per_group(s_, kernels_);
    if (per_group == 0) {
      add(0, whole, 0);
    } else {
      for (int group = 0; group * per_group < whole; ++group)
        add(group * per_group, std::min(per_group, whole - group * per_group), group);
    }
    if (const int rest = s_.channels % kernels_.together; rest > 0)
      list_.push_back({whole / mapping_.kernels_per_vmac, 1, whole % mapping_.kernels_per_vmac, 1, first_cus(rest), 0});
    return std::move(list_);
  }

 private:
  std::uint8_t every_cu() const { return static_cast<std::uint8_t>((1u << machine_.cus) - 1); }

  std::uint8_t first_cus(int channels) const {
    return static_cast<std::uint8_t>((1u << (channels / (kernels_.together / machine_.cus))) - 1);
  }

  // Slots first … first + count - 1: whole tiles in one loop, the rest alone.
  void add(int first, int count, int group) {
    const int per_tile = mapping_.kernels_per_vmac;
    const int tiles = count / per_tile, rest = count % per_tile;
    if (tiles > 0) list_.push_back({first / per_tile, tiles, 0, per_tile, every_cu(), group});
    if (rest > 0) list_.push_back({first / per_tile + tiles, 1, 0, rest, every_cu(), group});
  }

  const LayerShape& s_;
  const Mapping& mapping_;
  const ComputeMachine& machine_;
  const KernelShape& kernels_;
  std::vector<Segment> list_;
};

}  // namespace

int slots_per_group(const LayerShape& s, const KernelShape& kernels) {
  const bool apart = s.groups > 1 && !kernels.dense && s.group_channels % kernels.together == 0;
  return kernels.taps && apart ? s.group_channels / kernels.together : 0;
}

std::vector<Segment> kernel_segments(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine,
                                     const KernelShape& kernels) {
  return Segments(shape, mapping, machine, kernels).all();
}

std::vector<Segment> single_tiles(const std::vector<Segment>& segments) {
  std::vector<Segment> list;
  for (const Segment& segment : segments)
    for (int i = 0; i < segment.tiles; ++i) {
      list.push_back(segment);
      list.back().tile += i;
      list.back().tiles = 1;
    }
  return list;
}

std::vector<Segment> single_slots(const std::vector<Segment>& segments) {
  std::vector<Segment> list;
  for (const Segment& segment : segments)
    for (int i = 0; i < segment.slots; ++i) {
      list.push_back(segment);
      list.back().first_slot += i;
      list.back().slots = 1;
    }
  return list;
}

}  // namespace convscope::snowflake
