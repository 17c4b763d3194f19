#include "core/base/shortened.h"

namespace convscope {
namespace {

/// Whether a character of UTF-8 goes on at this byte.
bool is_inside(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t begin = most * 2 / 3, end = text.size() - most / 3;
  while (begin > 0 && is_inside(text, begin)) --begin;
  while (is_inside(text, end)) ++end;
  return std::string(text.substr(0, begin)) + "…" + std::string(text.substr(end));
}

}  // namespace convscope
