#include "core/readers/convnet_xml/numbers.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace convscope::readers {
namespace {

std::string meaning(const Range& range) {
  if (!range.meaning.empty()) return range.meaning;
  return fmt::format("an integer from {} to {}", range.minimum, range.maximum);
}

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<int> read_integer(std::string_view text, const Range& range, const std::string& name,
                                const Location& where, Diagnostics& findings) {
  const std::string_view digits = trimmed(text);
  if (digits.empty()) {
    findings.error(where, name + " is empty", meaning(range));
    return std::nullopt;
  }
  if (!is_integer(digits)) {
    findings.error(where, fmt::format("{} is {}, which is not an integer", name, convscope::quoted(digits)),
                   meaning(range));
    return std::nullopt;
  }
  const auto value = parse_integer<int>(digits);
  if (!value || *value < range.minimum || *value > range.maximum) {
    findings.error(where, fmt::format("{} is {}, out of range", name, convscope::quoted(digits)), meaning(range));
    return std::nullopt;
  }
  return value;
}

IntegerList read_list(std::string_view text, const Range& range, const Location& where, Diagnostics& findings) {
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
