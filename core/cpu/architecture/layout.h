#pragma once
// Where the elements of a tensor stand in memory.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/flyte/flyte.h"

namespace convscope::cpu {

/// Dimensions of a tensor are letters: image H W C, kernel M Y X C, output H W M. `order` names them from the outermost
/// to the innermost; `blocked` is the one that is split, its blocks standing at its place in the order and `block`
/// elements of it innermost of all. An incomplete last block is filled up with zeros. Text: "HWC", "H[W/8]C[8]",
/// "[M/16]YXC[16]".
struct Layout {
  std::string order;
  char blocked = 0;  ///< 0: none
  int block = 1;
  flyte::Storage storage = {};

  bool operator==(const Layout&) const = default;
};

/// Extent of each dimension of a tensor, by letter.
struct Extents {
  std::vector<std::pair<char, int>> of;
  int at(char dimension) const;  ///< precondition: it is there
};

std::string text(const Layout& layout);
/// Nothing if the text isn't a layout.
std::optional<Layout> parse_layout(std::string_view text);

/// Elements that a tensor takes, filled-up blocks included.
std::int64_t elements(const Layout& layout, const Extents& extents);
/// The same places, elements stored as binary32.
Layout in_floats(Layout layout);
/// Of all elements; without what may be read behind them.
std::int64_t bytes(const Layout& layout, const Extents& extents);
/// Bytes behind the last element that a program may read.
int readable_behind(const Layout& layout);
/// Elements from one index of `dimension` to the next: of a blocked one within its block (1).
std::int64_t stride(const Layout& layout, const Extents& extents, char dimension);
/// Elements from one block of the blocked dimension to the next. Precondition: it has one.
std::int64_t block_stride(const Layout& layout, const Extents& extents);

}  // namespace convscope::cpu
