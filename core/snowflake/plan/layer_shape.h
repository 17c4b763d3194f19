#pragma once
// A layer's sizes as tiles, windows and kernels need them.

#include "core/snowflake/architecture/program.h"
#include "core/snowflake/plan/mapping.h"

namespace convscope::snowflake {

/// Maps in DRAM.
struct Plane {
  int height = 1, width = 1, pitch = 1;
  std::int64_t base = 0;  ///< word of the first pixel's first channel
  bool operator==(const Plane&) const = default;
};

struct LayerShape {
  LayerKind kind = LayerKind::convolution;
  Plane in, out, bypass;
  bool has_bypass = false;
  int in_channels = 1;
  int channels = 16;  ///< of the output, rounded up to whole vectors
  int kernel_height = 1, kernel_width = 1, stride_height = 1, stride_width = 1;
  int dilation_height = 1, dilation_width = 1, padding_top = 0, padding_left = 0;
  int groups = 1, group_channels = 1;  ///< output channels of a group
  bool relu = false, count_padding = false;
  int fraction = 0;
  std::int64_t kernels = 0;  ///< DRAM word of the kernel region
  std::int64_t zeros = 0;    ///< DRAM word of a row of zeros

  bool pool() const { return kind == LayerKind::max_pool || kind == LayerKind::average_pool; }
  bool pointwise() const {  ///< 1x1 with stride 1: positions are all alike
    return !pool() && kernel_height * kernel_width == 1 && stride_height * stride_width == 1 && padding_top == 0 &&
           padding_left == 0 && in.height == out.height && in.width == out.width;
  }
};

/// Regions tell where the layer's maps lie. `by_position` turns its positions into rows of one.
LayerShape shape_of(const ProgramLayer& layer, const std::vector<Region>& regions, const ComputeMachine& machine,
                    bool by_position);

/// Kernels in a buffer.
struct KernelShape {
  bool taps = false;     ///< every tap is a row of its own
  int span = 0;          ///< input channels of a row
  int row_words = 0;     ///< of the buffer, from row to row
  int kernel_words = 0;  ///< of a slot
  int bias_words = 0;    ///< of a slot
  int together = 0;      ///< output channels of a slot over all vMACs that have kernels of their own
  int vmacs = 0;         ///< those
  int slots = 0;         ///< in all: of the whole layer
  bool dense = false;    ///< groups: rows go over all inputs
  /// vMACs that have kernels of their own in a slot and those behind it, of `channels` in all.
  int computing(int channels, int slot) const {
    const int rest = (channels - slot * together) * vmacs;
    return rest <= together ? 1 : rest >= together * vmacs ? vmacs : (rest + together - 1) / together;
  }
  int tile_words(int kernels_per_vmac, int macs) const {
    const int words = kernels_per_vmac * (kernel_words + bias_words);
    return (words + macs - 1) / macs * macs;
  }
};
KernelShape kernel_shape(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// Where tiles lie in a buffer: in its two banks, with a bypass in halves of them; or undivided, one in all of it.
struct MapSlots {
  int base[2] = {0, 0};
  int bypass[2] = {0, 0};
  int words = 0;         ///< of each slot's maps
  int bypass_words = 0;  ///< of each slot's bypass
};
MapSlots map_slots(const LayerShape& shape, const Mapping& mapping, const ComputeMachine& machine);

/// First word of the second kernel bank. It begins with a region: what lies in two regions is waited for twice.
int second_bank(const ComputeMachine& machine);

inline int round_up(int value, int step) {
  return (value + step - 1) / step * step;
}
inline int divide_up(int value, int step) {
  return (value + step - 1) / step;
}

}  // namespace convscope::snowflake
