#include "core/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace convscope {
namespace {

// Trailing zeros of a fixed-point number say nothing in a table.
std::string significant(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

}  // namespace

std::string_view origin_name(Origin origin) {
  switch (origin) {
    case Origin::measured: return "measured";
    case Origin::simulated: return "simulated";
    case Origin::derived: return "derived";
    case Origin::estimate: return "estimate";
    case Origin::published: return "published";
  }
  return "estimate";
}

Origin weaker(Origin a, Origin b) { return std::max(a, b); }

std::string format_quantity(const Quantity& quantity) {
  if (!std::isfinite(quantity.value)) return "–";
  const double magnitude = std::abs(quantity.value);
  static constexpr struct {
    double scale;
    const char* prefix;
  } large[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}, small[] = {{1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  double scale = 1;
  std::string prefix;
  for (const auto& step : large)
    if (magnitude >= step.scale * 10 && scale == 1) scale = step.scale, prefix = step.prefix;
  if (quantity.unit == "s" && magnitude > 0 && magnitude < 1) {
    scale = small[2].scale, prefix = small[2].prefix;
    for (const auto& step : {small[2], small[1], small[0]})
      if (magnitude >= step.scale) scale = step.scale, prefix = step.prefix;
  }
  std::string text = significant(quantity.value / scale);
  if (prefix.empty() && quantity.unit.empty()) return text;
  return text + " " + prefix + quantity.unit;
}

}  // namespace convscope
