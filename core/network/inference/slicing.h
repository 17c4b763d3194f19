#pragma once
// The part of a dimension that a Slice takes.

#include <cstdint>

namespace convscope::network {

struct SliceRange {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

/// ONNX Slice: negative positions count from the end, those beyond are clamped; the step isn't 0.
SliceRange slice_range(std::int64_t dimension, std::int64_t start, std::int64_t end, std::int64_t step);

}  // namespace convscope::network
