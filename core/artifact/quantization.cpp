#include "core/artifact/quantization.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace convscope::artifact {

std::int64_t MagnitudeHistogram::count() const {
  return std::accumulate(positive.begin(), positive.end(), zeros) +
         std::accumulate(negative.begin(), negative.end(), std::int64_t{0});
}

double MagnitudeHistogram::share_from(int exponent) const {
  std::int64_t above = 0;
  for (std::size_t i = 0; i < positive.size(); ++i)
    if (first + static_cast<int>(i) >= exponent) above += positive[i] + negative[i];
  const std::int64_t all = count();
  return all == 0 ? 0 : static_cast<double>(above) / static_cast<double>(all);
}

double MagnitudeHistogram::share_below(int exponent) const {
  const std::int64_t all = count();
  return all == 0 ? 0 : 1 - share_from(exponent) - static_cast<double>(zeros) / static_cast<double>(all);
}

double decibels(double noise) {
  return noise > 0 ? -10 * std::log10(noise) : std::numeric_limits<double>::infinity();
}

}  // namespace convscope::artifact
