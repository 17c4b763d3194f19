#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace convscope {
namespace {

// Rounded before a prefix is chosen: 9999.6 has five digits once it is rounded to whole numbers.
double four_digits(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3);
  return unit > 0 ? std::round(value / unit) * unit : value;
}

// Trailing zeros of a fixed-point number say nothing in a table.
std::string significant(double value) {
  const int exponent = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
  std::string text = fmt::format("{:.{}f}", value, std::clamp(3 - exponent, 0, 12));
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

struct Prefix {
  double scale;
  const char* symbol;
};

// Counts up to 9999 are read as they are. Only times are ever so small that they need a prefix.
Prefix prefix_for(double rounded, bool is_time) {
  const double magnitude = rounded * (1 + 1e-9);  // 1 ms may come as 0.99999999999999989e-3
  static constexpr Prefix large[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  static constexpr Prefix small[] = {{1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  if (magnitude >= 1e4)
    for (const Prefix& prefix : large)
      if (magnitude >= prefix.scale) return prefix;
  if (!is_time || magnitude >= 1 || magnitude == 0) return {1, ""};
  for (const Prefix& prefix : small)
    if (magnitude >= prefix.scale) return prefix;
  return small[2];
}

}  // namespace

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::simulated:
      return "simulated";
    case Origin::derived:
      return "derived";
    case Origin::estimate:
      return "estimate";
    case Origin::published:
      return "published";
  }
  return "estimate";
}

Origin weaker(Origin a, Origin b) {
  return std::max(a, b);
}

std::string format_quantity(const Quantity& quantity) {
  if (!std::isfinite(quantity.value)) return "–";
  const double value = four_digits(quantity.value);
  const Prefix prefix = prefix_for(std::abs(value), quantity.unit == "s");
  std::string text = significant(value / prefix.scale);
  if (*prefix.symbol == '\0' && quantity.unit.empty()) return text;
  return text + " " + prefix.symbol + quantity.unit;
}

}  // namespace convscope
