#include "ui/theme/range_colour.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "ui/theme/theme.h"

namespace convscope::ui {
namespace {

/// Nine evenly spaced colours of matplotlib's viridis (van der Walt, S., Smith, N., 2015; CC0).
constexpr std::array<QRgb, 9> viridis = {0xff440154, 0xff472d7b, 0xff3b528b, 0xff2c728e, 0xff21918c,
                                         0xff28ae80, 0xff5ec962, 0xffaddc30, 0xfffde725};

int between(int a, int b, double share) {
  return static_cast<int>(std::lround(a + (b - a) * share));
}

}  // namespace

QColor range_colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(viridis.size() - 1);
  const auto lower = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
  const double rest = place - static_cast<double>(lower);
  const QRgb a = viridis[lower], b = viridis[lower + 1];
  return {between(qRed(a), qRed(b), rest), between(qGreen(a), qGreen(b), rest), between(qBlue(a), qBlue(b), rest)};
}

QColor mark_colour(double share, const Theme& theme) {
  constexpr double too_bright = 0.1, too_dark = 0.22;
  const double within = std::clamp(share, 0.0, 1.0);
  return theme.dark ? range_colour(too_dark + (1 - too_dark) * within) : range_colour((1 - too_bright) * within);
}

}  // namespace convscope::ui
