#include "core/quantization/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace convscope::quantization {

void Error::add(std::span<const double> exact, std::span<const double> approximate) {
  assert(exact.size() == approximate.size());
  count += static_cast<std::int64_t>(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double difference = approximate[i] - exact[i];
    signal += exact[i] * exact[i];
    noise += difference * difference;
    largest = std::max(largest, std::abs(difference));
  }
}

double Error::sqnr() const {
  return noise == 0 ? std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

std::string Error::from_floats() const {
  return noise == 0 ? "those of floating point" : fmt::format("{:.1f} dB from floating point", sqnr());
}

bool same_largest(std::span<const double> exact, std::span<const double> approximate) {
  const auto place = [](std::span<const double> values) {
    return std::max_element(values.begin(), values.end()) - values.begin();
  };
  return place(exact) == place(approximate);
}

}  // namespace convscope::quantization
