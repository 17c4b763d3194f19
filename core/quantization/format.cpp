#include "core/quantization/format.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace convscope::quantization {
namespace {

/// The nearest integer, ties upwards. Adding a half first would round 0.5 less an ulp up.
double nearest(double value) {
  const double below = std::floor(value);
  return value - below >= 0.5 ? below + 1 : below;
}

bool saturates(double value, const Format& format) {
  const double integer = nearest(std::ldexp(value, format.fraction));
  return integer < static_cast<double>(format.least()) || integer > static_cast<double>(format.most());
}

}  // namespace

std::string Format::name() const {
  return fmt::format("Q{}.{}", bits - fraction, fraction);
}

std::optional<Format> parse_format(std::string_view text) {
  const std::size_t point = text.find('.');
  if (!text.starts_with('Q') || point == std::string_view::npos) return std::nullopt;
  const auto whole = parse_integer<int>(text.substr(1, point - 1)),
             fraction = parse_integer<int>(text.substr(point + 1));
  constexpr int farthest = 64;
  if (!whole || !fraction || std::abs(*whole) > 2 * farthest || std::abs(*fraction) > farthest) return std::nullopt;
  const int bits = *whole + *fraction;
  return bits < least_bits || bits > most_bits ? std::nullopt : std::optional<Format>({bits, *fraction});
}

std::int64_t quantize(double value, const Format& format) {
  if (std::isnan(value)) return 0;
  const double integer = nearest(std::ldexp(value, format.fraction));
  return static_cast<std::int64_t>(
      std::clamp(integer, static_cast<double>(format.least()), static_cast<double>(format.most())));
}

double dequantize(std::int64_t integer, const Format& format) {
  return std::ldexp(static_cast<double>(integer), -format.fraction);
}

double rounded(double value, const Format& format) {
  return dequantize(quantize(value, format), format);
}

void round_all(std::span<double> values, const Format& format) {
  for (double& value : values) value = rounded(value, format);
}

void Range::add(double value) {
  if (!std::isfinite(value)) return;
  least = std::min(least, value);
  most = std::max(most, value);
}

void Range::add(const Range& other) {
  add(other.least);
  add(other.most);
}

Range range_of(std::span<const double> values) {
  Range range;
  for (const double value : values) range.add(value);
  return range;
}

Format format_for(const Range& range, int bits, const FractionLimits& limits) {
  Format format{bits, limits.most};
  while (format.fraction > limits.least && (saturates(range.least, format) || saturates(range.most, format)))
    --format.fraction;
  return format;
}

}  // namespace convscope::quantization
