#pragma once
// What can be selected, and stays the same thing after a recompilation.

#include <cstdint>
#include <functional>

namespace convscope::artifact {

/// Stable identity of an operation inside a layer: made from what the operation means (output map, kind, ordinal),
/// not from where a schedule put it. 0 means none.
using OperationKey = std::uint64_t;

/// A reference to something selectable. Negative fields (0 for `operation`) mean 'not narrowed down'.
struct Ref {
  std::int32_t layer = -1;
  std::int32_t program = -1;  ///< index in the layer's program list; a hint only, fusion may move an operation
  OperationKey operation = 0;
  std::int64_t iteration = -1;  ///< output column for NVE
  std::int64_t cycle = -1;      ///< cycle in the program's unrolled timeline
  std::int64_t word = -1;       ///< word address in the local buffer
  bool operator==(const Ref&) const = default;
};

}  // namespace convscope::artifact
