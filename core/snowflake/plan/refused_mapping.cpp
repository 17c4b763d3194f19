#include "core/snowflake/plan/refused_mapping.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/snowflake/plan/kernel_ring.h"
#include "core/snowflake/plan/streamed_maps.h"
#include "core/snowflake/plan/tiles.h"
#include "core/snowflake/plan/windows.h"

namespace convscope::snowflake {
namespace {

std::string refusal(const LayerShape& s, const Mapping& m, const ComputeMachine& machine, const KernelShape& k) {
  if (s.pool()) {
    if (s.in.pitch % machine.macs != 0)
      return fmt::format(
          "pooling reads whole vectors, but the {} channels of its input lie {} words apart; a "
          "convolution before it would round them up",
          s.in_channels, s.in.pitch);
    if (s.kind == LayerKind::average_pool && pool_weights(s).counts > machine.kernel_bank_words)
      return fmt::format("windows have {} different sizes, a kernel bank holds {} weights", pool_weights(s).counts,
                         machine.kernel_bank_words);
    return {};
  }
  const int rest = s.channels % k.together;
  if (!m.independent && machine.macs % machine.vmacs != 0)
    return fmt::format(
        "cooperative write-backs put {} words side by side, which doesn't divide vectors of {}; change "
        "vMACs or MACs",
        machine.vmacs, machine.macs);
  if (m.independent && rest % (machine.vmacs * machine.macs) != 0)
    return fmt::format("{} channels don't fill independent write-backs of {}", s.channels,
                       machine.vmacs * machine.macs);
  if (m.split && rest != 0) return fmt::format("{} channels don't fill write-backs of {}", s.channels, k.together);
  const int words = m.kernels_per_vmac * k.kernel_words;
  const int biases = m.kernels_per_vmac * k.bias_words;
  const int tile_words = k.tile_words(m.kernels_per_vmac, machine.macs);
  const int end = 2 * machine.kernel_bank_stride();
  if (m.parts) {
    if (streams_maps(m) && (streamed_place(s, m, machine) < machine.macs || words < 2 * machine.macs))
      return fmt::format("the input of one output doesn't fit the maps buffer of {} words, in parts neither",
                         2 * machine.maps_bank_words);
    // Windows that don't reach the last part write back with a zero, of those that round a tile up.
    const int last = (s.out.height - 1) * s.stride_height - s.padding_top + (s.kernel_height - 1) * s.dilation_height;
    if (last < s.in.height || tile_words > words + biases) return {};
    return fmt::format(
        "kernels of {} words exceed both kernel banks and come in parts, the last of which windows over the bottom "
        "padding don't reach, and tiles of {} words have no zero behind their bias; vMACs of several MACs would do",
        k.kernel_words, tile_words);
  }
  if (m.ring) {
    if (m.kernels_per_vmac != k.slots || s.groups > 1) return "a ring of kernels takes all of a vMAC's, without groups";
    if (kernel_ring(k, m, machine)) return {};
    return fmt::format("a kernel of {} words and {} biases don't fit both kernel banks of {} words", k.kernel_words,
                       biases, end);
  }
  const bool fits = m.single ? tile_words <= end
                             : words <= machine.kernel_bank_words && biases <= machine.bias_words &&
                                   tile_words <= std::min(machine.kernel_bank_stride(), end - second_bank(machine));
  if (!fits)
    return fmt::format("{} kernels of {} words and {} biases don't fit a kernel bank of {} + {} words",
                       m.kernels_per_vmac, k.kernel_words, biases, machine.kernel_bank_words, machine.bias_words);
  return {};
}

}  // namespace

std::string refused_mapping(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine) {
  std::string reason = refusal(shape, mapping, machine, kernel_shape(shape, mapping, machine));
  if (!reason.empty() || streams_maps(mapping) || tiles_fit(shape, mapping, machine)) return reason;
  return fmt::format("the input of {} rows of outputs doesn't fit {} words of the maps buffer; take fewer rows",
                     mapping.rows, map_slots(shape, mapping, machine).words);
}

}  // namespace convscope::snowflake
