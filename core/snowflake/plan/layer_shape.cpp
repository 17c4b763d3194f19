#include "core/snowflake/plan/layer_shape.h"

#include <algorithm>

namespace convscope::snowflake {
namespace {

Plane plane_of(const MapsPlace& place, const std::vector<Region>& regions, bool by_position) {
  Plane plane{place.height, place.width, place.pitch, 0};
  if (place.region >= 0) plane.base = regions[static_cast<std::size_t>(place.region)].first_word + place.offset;
  if (by_position) {
    plane.height *= plane.width;
    plane.width = 1;
  }
  return plane;
}

}  // namespace

LayerShape shape_of(const ProgramLayer& layer, const std::vector<Region>& regions, const ComputeMachine& machine,
                    bool by_position) {
  LayerShape s;
  s.kind = layer.kind;
  s.in = plane_of(layer.in, regions, by_position);
  s.out = plane_of(layer.out, regions, by_position);
  s.has_bypass = layer.bypass.region >= 0;
  s.bypass = plane_of(layer.bypass, regions, by_position);
  s.in_channels = layer.in.channels;
  s.channels = round_up(layer.out.channels, machine.macs);
  s.kernel_height = layer.kernel_height;
  s.kernel_width = layer.kernel_width;
  s.stride_height = layer.stride_height;
  s.stride_width = layer.stride_width;
  s.dilation_height = layer.dilation_height;
  s.dilation_width = layer.dilation_width;
  s.padding_top = layer.padding_top;
  s.padding_left = layer.padding_left;
  s.groups = layer.groups;
  s.group_channels = layer.out.channels / std::max(1, layer.groups);
  s.relu = layer.relu;
  s.count_padding = layer.count_padding;
  s.fraction = layer.fraction;
  if (layer.kernels.region >= 0) s.kernels = regions[static_cast<std::size_t>(layer.kernels.region)].first_word;
  const auto zeros = std::find_if(regions.begin(), regions.end(),
                                  [](const Region& region) { return region.kind == RegionKind::zeros; });
  if (zeros != regions.end()) s.zeros = zeros->first_word;
  return s;
}

KernelShape kernel_shape(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  KernelShape k;
  if (shape.pool()) {
    k.together = machine.macs;
    k.vmacs = 1;
    k.slots = shape.channels / machine.macs;
    return k;
  }
  k.vmacs = machine.vmacs * (mapping.split ? 1 : machine.cus);
  k.together = k.vmacs * (mapping.independent ? machine.macs : 1);
  k.slots = divide_up(shape.channels, k.together);
  k.taps = shape.groups > 1 || shape.dilation_width > 1;
  k.span = shape.in.pitch;
  if (shape.groups > 1) {
    const int inputs = shape.in_channels / shape.groups;
    // Channels that round up to whole vectors have kernels of zeros, but their rows must stay within the pixel.
    const int last = (k.slots - 1) * k.together / shape.group_channels * inputs;
    const auto within = [&](int span) { return last + span <= shape.in.pitch; };
    const int several = k.together / shape.group_channels * inputs;
    if (shape.group_channels % k.together == 0 && within(inputs))
      k.span = inputs;
    else if (k.together % shape.group_channels == 0 && (k.slots == 1 || within(several)))
      k.span = std::min(several, shape.in.pitch);
    else
      k.dense = true;
  }
  const int row = k.taps ? k.span : shape.kernel_width * shape.in.pitch;
  k.row_words = mapping.independent ? row * machine.macs : round_up(row, machine.macs);
  k.kernel_words = k.row_words * shape.kernel_height * (k.taps ? shape.kernel_width : 1);
  k.bias_words = mapping.independent ? machine.macs : 1;
  return k;
}

MapSlots map_slots(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  MapSlots slots;
  const auto up = [](int words) { return round_up(words, maps_region_words); };
  const Interleaving& part = mapping.interleaving;
  const int first = part.first, bank = part.words > 0 ? part.words / 2 : machine.maps_bank_words;
  if (mapping.undivided) {
    const std::int64_t bypass = std::int64_t{mapping.rows} * mapping.columns * shape.bypass.pitch;
    if (shape.has_bypass) slots.bypass_words = static_cast<int>(std::min(bypass, std::int64_t{2} * bank));
    slots.words = std::max(0, 2 * bank - slots.bypass_words) / maps_region_words * maps_region_words;
    slots.base[0] = slots.base[1] = first;
    slots.bypass[0] = slots.bypass[1] = first + slots.words;
    return slots;
  }
  slots.base[0] = first;
  slots.base[1] = first + up(bank);
  if (!shape.has_bypass) {
    slots.words = std::min(bank, 2 * bank - up(bank));
    return slots;
  }
  const int half = bank / 2;
  slots.bypass[0] = first + up(half);
  slots.bypass[1] = slots.base[1] + up(half);
  slots.words = slots.bypass_words = std::min({half, bank - up(half), 2 * bank - up(bank) - up(half)});
  return slots;
}

int second_bank(const ComputeMachine& machine) {
  return round_up(machine.kernel_bank_stride(), kernel_region_words);
}

}  // namespace convscope::snowflake
