#include "core/readers/convnet_xml/numbers.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace convscope::readers {
namespace {

std::string meaning(const Range& range) {
  if (!range.meaning.empty()) return range.meaning;
  return fmt::format("an integer from {} to {}", range.minimum, range.maximum);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::optional<int> read_integer(std::string_view text, const Range& range, const std::string& name,
                                const Location& where, Findings& findings) {
  const std::string_view digits = trimmed(text);
  if (digits.empty()) {
    findings.error(where, name + " is empty", meaning(range));
    return std::nullopt;
  }
  int value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (code == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    findings.error(where, fmt::format("{} is {}, which is not an integer", name, quoted(digits)), meaning(range));
    return std::nullopt;
  }
  if (code == std::errc::result_out_of_range || value < range.minimum || value > range.maximum) {
    findings.error(where, fmt::format("{} is {}, out of range", name, quoted(digits)), meaning(range));
    return std::nullopt;
  }
  return value;
}

IntegerList read_list(std::string_view text, const Range& range, const Location& where, Findings& findings) {
  IntegerList list;
  if (trimmed(text).empty()) return list;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string name = fmt::format("entry {}", ++list.length);
    if (const auto value = read_integer(text.substr(begin, comma - begin), range, name, where, findings))
      list.values.push_back(*value);
    begin = comma + 1;
  }
  return list;
}

}  // namespace convscope::readers
