#include "core/winograd/matrices/rational.h"

#include <cstddef>
#include <cstdint>

namespace convscope::winograd {
namespace {

constexpr std::size_t most_digits = 9;

/// Digits alone, at least one.
std::optional<std::int64_t> parse_digits(std::string_view text) {
  if (text.empty() || text.size() > most_digits) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

std::optional<Rational> parse_fraction(std::string_view numerator, std::string_view denominator) {
  const auto above = parse_digits(numerator), below = parse_digits(denominator);
  if (!above || !below || *below == 0) return std::nullopt;
  return Rational(*above) / Rational(*below);
}

std::optional<Rational> parse_decimal(std::string_view whole, std::string_view digits) {
  const auto above = parse_digits(whole), part = parse_digits(digits);
  if (!above || !part) return std::nullopt;
  std::int64_t scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) scale *= 10;
  return Rational(*above) + Rational(*part) / Rational(scale);
}

std::optional<Rational> parse_unsigned(std::string_view text) {
  if (const auto slash = text.find('/'); slash != text.npos)
    return parse_fraction(text.substr(0, slash), text.substr(slash + 1));
  if (const auto point = text.find('.'); point != text.npos)
    return parse_decimal(text.substr(0, point), text.substr(point + 1));
  return parse_fraction(text, "1");
}

}  // namespace

std::string text(const Rational& value) {
  return value.str();
}

double to_double(const Rational& value) {
  return value.convert_to<double>();
}

std::optional<Rational> parse_rational(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto value = parse_unsigned(text);
  if (!value) return std::nullopt;
  return negative ? Rational(-*value) : *value;
}

}  // namespace convscope::winograd
