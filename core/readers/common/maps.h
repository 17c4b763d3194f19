#pragma once
// Sizes of feature maps while a reader walks along a file's layers: formats that state no shapes of tensors need them
// to know how many weights a layer has.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/network/graph.h"

namespace convscope::readers {

/// Product of dimensions; nothing if one is negative or the product is beyond network::element_cap.
std::optional<std::int64_t> element_count(const std::vector<std::int64_t>& dimensions);

/// True if the dimensions that are known don't have more elements than network::element_cap.
bool is_bounded(std::vector<std::int64_t> dimensions);

/// Feature maps of one frame; unknown_dimension where unknown.
struct Maps {
  std::int64_t maps = network::unknown_dimension;
  std::int64_t height = network::unknown_dimension;
  std::int64_t width = network::unknown_dimension;

  bool known() const { return maps >= 0 && height >= 0 && width >= 0; }
  std::optional<std::int64_t> elements() const { return element_count({maps, height, width}); }
  bool bounded() const { return is_bounded({maps, height, width}); }
  /// (batch, maps, height, width), the batch open and named "batch".
  network::TensorShape shape() const;
  bool operator==(const Maps&) const = default;
};

/// A window that slides along one axis, with zeros before and after the input.
struct Window {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t before = 0;
  std::int64_t after = 0;

  std::int64_t extent() const { return dilation * (kernel - 1) + 1; }
};

/// Positions of a window along an axis of `size` pixels: floor((size + before + after - extent) / stride) + 1; 0 if
/// it doesn't fit, unknown if the size is.
std::int64_t window_positions(std::int64_t size, const Window& window);

}  // namespace convscope::readers
