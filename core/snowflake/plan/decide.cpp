#include "core/snowflake/plan/decide.h"

#include <fmt/core.h>

#include "core/snowflake/plan/kernel_region.h"
#include "core/snowflake/plan/refused_mapping.h"
#include "core/snowflake/plan/streamed_maps.h"
#include "core/snowflake/plan/tiles.h"

namespace convscope::snowflake {
namespace {

constexpr int looped_cycles = 8;  // a trace as long as the bookkeeping of its loop

std::int64_t taps_inside(int outputs, int stride, int padding, int dilation, int kernel, int size) {
  std::int64_t sum = 0;
  for (int out = 0; out < outputs; ++out)
    for (int k = 0; k < kernel; ++k) {
      const int at = out * stride - padding + k * dilation;
      sum += at >= 0 && at < size ? 1 : 0;
    }
  return sum;
}

// Below the limit "choosing between Mloop or Kloop won't significantly affect performance" (section 6.2). Figure 4
// draws layers without bypass, so it isn't looked at here either: Table 2's traffic speaks for that.
bool prefers_maps_loop(LayerShape s, Mapping m, const Machine& machine) {
  s.has_bypass = false;
  if (!largest_tiles(s, m, machine)) return false;
  const RequiredBandwidth kloop = required_bandwidth(s, m, machine);
  if (kloop.bandwidth <= machine.bandwidth) return false;
  m.maps_loop = true;
  return required_bandwidth(s, m, machine).bandwidth < kloop.bandwidth;
}

}  // namespace

std::int64_t valid_macs(const LayerShape& s) {
  if (s.pool()) return 0;
  return taps_inside(s.out.height, s.stride_height, s.padding_top, s.dilation_height, s.kernel_height, s.in.height) *
         taps_inside(s.out.width, s.stride_width, s.padding_left, s.dilation_width, s.kernel_width, s.in.width) *
         s.channels * (s.in_channels / s.groups);
}

RequiredBandwidth required_bandwidth(const LayerShape& s, const Mapping& mapping, const ComputeMachine& machine) {
  const auto tiles = map_tiles(s, mapping, machine);
  const std::int64_t outputs = std::int64_t{s.out.height} * s.out.width * s.channels;
  std::int64_t maps = s.has_bypass ? outputs : 0;  // a bypass comes with the maps, each time
  for (const MapTile& tile : tiles) maps += std::int64_t{tile.words()} * (mapping.split ? machine.cus : 1);
  const std::int64_t weights = kernel_region_words_of(s, mapping, machine);
  const KernelShape kernels = kernel_shape(s, mapping, machine);
  const std::int64_t kernel_tiles = s.pool() ? 1 : divide_up(kernels.slots, mapping.kernels_per_vmac);
  RequiredBandwidth required;
  required.bytes =
      word_bytes * static_cast<double>(mapping.maps_loop
                                           ? kernel_tiles * maps + weights + outputs
                                           : static_cast<std::int64_t>(tiles.size()) * weights + maps + outputs);
  const double seconds = static_cast<double>(valid_macs(s)) / machine.peak();
  required.bandwidth = seconds > 0 ? required.bytes / seconds : 0;
  return required;
}

Decision paper_mapping(const ProgramLayer& layer, const std::vector<Region>& regions, const Machine& machine) {
  Decision decision;
  Mapping& m = decision.mapping;
  const LayerShape s = shape_of(layer, regions, machine, false);
  m.split = s.pool();
  m.map_pieces = machine.load_units;
  m.trace_per_position = true;
  if (!largest_tiles(s, m, machine)) {
    stream_maps(m);
    if (!s.pool() && refused_mapping(s, m, machine).empty()) return decision;
    decision.refused =
        fmt::format("the input of one output doesn't fit the maps buffer of {} words", map_slots(s, m, machine).words);
    return decision;
  }
  if (s.pool()) return decision;
  const KernelShape kernels = kernel_shape(s, m, machine);
  const int words = kernels.taps ? kernels.span : s.kernel_width * s.in.pitch;
  m.form = divide_up(words, machine.macs) < looped_cycles ? TraceForm::unrolled : TraceForm::looped;
  m.single = kernels.kernel_words > machine.kernel_bank_words;
  if (m.single && kernels.tile_words(1, machine.macs) > 2 * machine.kernel_bank_stride()) stream_parts(m);
  if (!m.single && !m.parts) m.maps_loop = prefers_maps_loop(s, m, machine);
  return decision;
}

}  // namespace convscope::snowflake
