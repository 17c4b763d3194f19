#pragma once
// Windows that slide over the spatial dimensions of a tensor: convolutions and pools.

#include <optional>
#include <string>

#include "core/network/attributes.h"
#include "core/network/inference/dimensions.h"

namespace convscope::network {

/// One entry per spatial dimension. Kernel sizes and pads may be unknown_dimension; strides and dilations are known.
struct Window {
  Dimensions kernel, strides, dilations, pads_begin, pads_end;
  bool ceil = false;  ///< outputs are rounded up, but no window starts behind the input
  bool same = false;  ///< auto_pad SAME_*: outputs are ceil(input / stride)

  /// Pixels from the first to the last tap: (kernel - 1) * dilation + 1.
  std::int64_t extent(std::size_t axis) const;
  /// Number of windows along an axis; unknown if kernel or input are; at most 0 if none fits.
  std::int64_t count(std::size_t axis, std::int64_t input) const;
};

/// From attributes kernel_shape, strides, dilations, pads, auto_pad and ceil_mode, as Conv and the pools have them.
/// `kernel` comes from the weights, is empty if there are none, and is completed by kernel_shape. `spatial` are the
/// input's dimensions. Nothing if the attributes don't fit: then `problem` says why.
std::optional<Window> window_of(const Attributes& attributes, Dimensions kernel, const Dimensions& spatial,
                                std::string& problem);

}  // namespace convscope::network
