#include "core/base/text.h"

#include <algorithm>
#include <cstddef>

namespace convscope {
namespace {

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// Bytes of the well-formed character at `at` (RFC 3629, table in section 4); 0 if there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text, at + i)) return 0;
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  const bool control = lead == 0xC2 && second < 0xA0;
  return overlong || beyond || control ? 0 : length;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> words(std::string_view text, std::string_view separators) {
  std::vector<std::string> result;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    result.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return result;
}

std::string clean(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    length == 0 ? result.append(1, '?') : result.append(text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t limit = 80;
  if (text.size() <= limit) return "'" + clean(text) + "'";
  // Not within a character.
  std::size_t end = limit;
  while (end > 0 && is_continuation(text, end)) --end;
  return "'" + clean(text.substr(0, end)) + "…'";
}

std::string quoted(std::string_view text) {
  constexpr std::size_t length_cap = 40;
  std::string result(text.substr(0, length_cap));
  std::replace_if(
      result.begin(), result.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
  return "'" + result + (text.size() > length_cap ? "…'" : "'");
}

}  // namespace convscope
