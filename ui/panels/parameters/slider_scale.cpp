#include "ui/panels/parameters/slider_scale.h"

#include <algorithm>
#include <cmath>

namespace convscope::ui {
namespace {

// More positions than a slider has pixels are of no use to a hand; the spin box reaches every value.
constexpr int most_positions = 400;
// From this ratio of maximum to minimum on, equal steps would crowd the small values at one end.
constexpr double wide_ratio = 1000;

double smallest_power_of_two(double minimum) {
  return std::exp2(std::ceil(std::log2(std::max(1.0, minimum))));
}

}  // namespace

SliderScale::SliderScale(const arch::ParameterDescription& description) : description_(description) {
  const double minimum = description.minimum, maximum = description.maximum;
  if (description.powers_of_two) {
    kind_ = Kind::doubling;
    last_ = std::max(0, static_cast<int>(std::floor(std::log2(maximum / smallest_power_of_two(minimum)))));
  } else if (minimum > 0 && maximum / minimum >= wide_ratio) {
    kind_ = Kind::ratio;
    last_ = most_positions;
  } else {
    const double steps = description.step > 0 ? (maximum - minimum) / description.step : most_positions;
    last_ = static_cast<int>(std::clamp(std::round(steps), 0.0, static_cast<double>(most_positions)));
  }
}

double SliderScale::value(int position) const {
  const double place = std::clamp(position, 0, last_);
  const double minimum = description_.minimum, maximum = description_.maximum;
  const double share = last_ > 0 ? place / last_ : 0;
  switch (kind_) {
    case Kind::doubling:
      return smallest_power_of_two(minimum) * std::exp2(place);
    case Kind::ratio:
      return arch::nearest_allowed(description_, minimum * std::pow(maximum / minimum, share));
    case Kind::linear:
      break;
  }
  return arch::nearest_allowed(description_, minimum + (maximum - minimum) * share);
}

int SliderScale::position(double value) const {
  const double minimum = description_.minimum, maximum = description_.maximum;
  double share = 0;
  switch (kind_) {
    case Kind::doubling:
      return std::clamp(static_cast<int>(std::lround(std::log2(std::max(1.0, value) / smallest_power_of_two(minimum)))),
                        0, last_);
    case Kind::ratio:
      share = std::log(std::max(value, minimum) / minimum) / std::log(maximum / minimum);
      break;
    case Kind::linear:
      share = maximum > minimum ? (value - minimum) / (maximum - minimum) : 0;
      break;
  }
  return std::clamp(static_cast<int>(std::lround(share * last_)), 0, last_);
}

}  // namespace convscope::ui
