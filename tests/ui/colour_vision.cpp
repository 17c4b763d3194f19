#include "tests/ui/colour_vision.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace convscope::ui::test {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
// sRGB primaries, D65, to XYZ.
constexpr Matrix to_xyz{
    {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};

const Matrix& matrix_of(Vision vision) {
  if (vision == Vision::protanopia) return protanopia;
  if (vision == Vision::deuteranopia) return deuteranopia;
  return vision == Vision::tritanopia ? tritanopia : identity;
}

Triple times(const Matrix& matrix, const Triple& vector) {
  Triple result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) result[row] += matrix[row][column] * vector[column];
  }
  return result;
}

double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double lightness(double t) {
  constexpr double epsilon = 216.0 / 24389, kappa = 24389.0 / 27;
  return t > epsilon ? std::cbrt(t) : (kappa * t + 16) / 116;
}

Triple lab(const QColor& colour, Vision vision) {
  Triple seen = times(matrix_of(vision), {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())});
  for (double& channel : seen) channel = std::clamp(channel, 0.0, 1.0);
  const Triple xyz = times(to_xyz, seen);
  const double x = lightness(xyz[0] / 0.95047), y = lightness(xyz[1]), z = lightness(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

}  // namespace

double seen_difference(const QColor& a, const QColor& b, Vision vision) {
  const Triple first = lab(a, vision), second = lab(b, vision);
  return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

}  // namespace convscope::ui::test
