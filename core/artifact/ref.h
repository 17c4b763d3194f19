#pragma once
// What can be selected, and stays the same thing after a recompilation.

#include <compare>
#include <cstdint>

namespace convscope::artifact {

/// Stable identity of an operation inside a layer: made from what the operation means (output map, kind, ordinal),
/// not from where a schedule put it. 0 means none.
using OperationKey = std::uint64_t;

/// A word of one of a program's memories.
struct MemoryWord {
  std::int32_t memory = 0;  ///< index into the program's MemoryMap
  std::int64_t word = 0;    ///< address
  auto operator<=>(const MemoryWord&) const = default;
};

/// A reference to something selectable. Negative fields (0 for `operation`) mean 'not narrowed down'.
struct Ref {
  std::int32_t layer = -1;
  std::int32_t program = -1;  ///< index in the layer's program list; a hint only, fusion may move an operation
  OperationKey operation = 0;
  std::int64_t iteration = -1;  ///< of the operation; which one it is, the target says: a column, a tile, an image
  std::int64_t cycle = -1;      ///< cycle in the program's unrolled timeline
  std::int32_t memory = -1;     ///< index into the program's MemoryMap; set with `word`
  std::int64_t word = -1;       ///< word address in that memory
  bool operator==(const Ref&) const = default;
};

}  // namespace convscope::artifact
