#include "core/base/numbers.h"

#include <cmath>

namespace convscope {
namespace {

std::optional<LeadingNumber> leading(std::string_view text, std::chars_format format) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value, format);
  if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
  return LeadingNumber{value, text.substr(static_cast<std::size_t>(stop - text.data()))};
}

bool is_signed(std::string_view text) {
  return !text.empty() && (text.front() == '+' || text.front() == '-');
}

}  // namespace

std::optional<LeadingNumber> leading_number(std::string_view text) {
  return leading(text, std::chars_format::general);
}

std::optional<double> parse_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (is_signed(text)) text.remove_prefix(1);
  if (is_signed(text)) return std::nullopt;  // one sign is enough
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  if (hexadecimal && is_signed(text)) return std::nullopt;
  const auto number = leading(text, hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (!number || !number->rest.empty()) return std::nullopt;
  return negative ? -number->value : number->value;
}

std::optional<std::pair<int, int>> parse_pair(std::string_view text, char separator) {
  const std::size_t middle = text.find(separator);
  if (middle == std::string_view::npos) return std::nullopt;
  const auto first = parse_integer<int>(text.substr(0, middle)), second = parse_integer<int>(text.substr(middle + 1));
  if (!first || !second || *first < 1 || *second < 1) return std::nullopt;
  return std::pair(*first, *second);
}

}  // namespace convscope
