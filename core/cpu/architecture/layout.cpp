#include "core/cpu/architecture/layout.h"

#include <algorithm>
#include <cassert>
#include <cctype>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace convscope::cpu {
namespace {

constexpr int most_block = 1024;
constexpr std::string_view dimensions = "HWCMYX";

/// Blocks of the blocked dimension, or the extent of another one.
std::int64_t steps(const Layout& layout, const Extents& extents, char dimension) {
  const std::int64_t extent = extents.at(dimension);
  return dimension == layout.blocked ? (extent + layout.block - 1) / layout.block : extent;
}

/// Elements below position `from` of the order.
std::int64_t below(const Layout& layout, const Extents& extents, std::size_t from) {
  std::int64_t product = layout.block;
  for (std::size_t i = from; i < layout.order.size(); ++i) product *= steps(layout, extents, layout.order[i]);
  return product;
}

/// Reads "[M/16]" at the begin of the text.
bool take_blocked(std::string_view& text, Layout& layout) {
  const std::size_t close = text.find(']');
  if (layout.blocked != 0 || close == std::string_view::npos || close < 4 || text[2] != '/') return false;
  const auto block = parse_integer<int>(text.substr(3, close - 3));
  if (!block || *block < 2 || *block > most_block) return false;
  layout.blocked = text[1];
  layout.block = *block;
  layout.order += text[1];
  text.remove_prefix(close + 1);
  return true;
}

bool plausible(const Layout& layout) {
  for (std::size_t i = 0; i < layout.order.size(); ++i)
    if (dimensions.find(layout.order[i]) == std::string_view::npos ||
        layout.order.find(layout.order[i], i + 1) != std::string::npos)
      return false;
  return !layout.order.empty();
}

}  // namespace

int Extents::at(char dimension) const {
  const auto found = std::find_if(of.begin(), of.end(), [&](const auto& one) { return one.first == dimension; });
  assert(found != of.end());
  return found->second;
}

std::string text(const Layout& layout) {
  if (!layout.storage.complete()) return text(in_floats(layout)) + ' ' + flyte::text(layout.storage);
  std::string text;
  for (const char dimension : layout.order)
    text += dimension == layout.blocked ? fmt::format("[{}/{}]", dimension, layout.block) : std::string(1, dimension);
  return layout.blocked != 0 ? text + fmt::format("[{}]", layout.block) : text;
}

std::optional<Layout> parse_layout(std::string_view text) {
  if (const std::size_t blank = text.find(' '); blank != std::string_view::npos) {
    const auto storage = flyte::parse_storage(text.substr(blank + 1));
    auto places = parse_layout(text.substr(0, blank));
    if (!places || !storage || storage->complete() || storage->whole != 4) return std::nullopt;
    places->storage = *storage;
    return places;
  }
  Layout layout;
  while (!text.empty()) {
    if (text.front() != '[') {
      layout.order += text.front();
      text.remove_prefix(1);
    } else if (layout.blocked != 0 && text == fmt::format("[{}]", layout.block)) {
      return plausible(layout) ? std::optional(layout) : std::nullopt;
    } else if (!take_blocked(text, layout)) {
      return std::nullopt;
    }
  }
  return layout.blocked == 0 && plausible(layout) ? std::optional(layout) : std::nullopt;
}

std::int64_t elements(const Layout& layout, const Extents& extents) {
  return below(layout, extents, 0);
}

Layout in_floats(Layout layout) {
  layout.storage = {};
  return layout;
}

std::int64_t bytes(const Layout& layout, const Extents& extents) {
  return elements(layout, extents) * layout.storage.bytes;
}

int readable_behind(const Layout& layout) {
  constexpr int slack = 16;  // of three bytes each, a register holds what lies behind as well
  return layout.storage.bytes == 3 ? slack : 0;
}

std::int64_t stride(const Layout& layout, const Extents& extents, char dimension) {
  const std::size_t position = layout.order.find(dimension);
  assert(position != std::string::npos);
  return dimension == layout.blocked ? 1 : below(layout, extents, position + 1);
}

std::int64_t block_stride(const Layout& layout, const Extents& extents) {
  assert(layout.blocked != 0);
  return below(layout, extents, layout.order.find(layout.blocked) + 1);
}

}  // namespace convscope::cpu
