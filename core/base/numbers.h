#pragma once
// Numbers in files and on command lines: a decimal point and no separators, whatever the user's locale says.

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace convscope {

/// The finite number that the whole text is: decimal ("-1.5e3") or, after 0x, hexadecimal; a sign may stand before it,
/// but no blank. Nothing if it is none, or too large or too small for a double.
std::optional<double> parse_number(std::string_view text);

struct LeadingNumber {
  double value = 0;
  std::string_view rest;  ///< what follows it
};

/// The finite decimal number that the text begins with, without '+' and without blanks before it.
std::optional<LeadingNumber> leading_number(std::string_view text);

/// The integer that the whole text is, digits and perhaps '-'; nothing if it is none or doesn't fit.
template <typename Integer>
std::optional<Integer> parse_integer(std::string_view text, int base = 10) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value, base);
  if (failure != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// Two integers from 1 on, such as "224x224" or "2/4".
std::optional<std::pair<int, int>> parse_pair(std::string_view text, char separator);

}  // namespace convscope
