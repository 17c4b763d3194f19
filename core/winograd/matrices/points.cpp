#include "core/winograd/matrices/points.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace convscope::winograd {
namespace {

Rational fraction(int numerator, int denominator) {
  return Rational(numerator) / Rational(denominator);
}

Points symmetric(int count, const std::vector<Rational>& positive) {
  Points points;
  if (count % 2 == 1) points.emplace_back(0);
  for (const Rational& point : positive) {
    if (static_cast<int>(points.size()) >= count) break;
    points.push_back(point);
    points.push_back(-point);
  }
  return points;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    if (comma == text.npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Location points_element() {
  return {{}, 0, "points"};
}

bool are_enough(const Points& points, int m, int r, Diagnostics& diagnostics) {
  const int needed = finite_points(m, r);
  if (static_cast<int>(points.size()) == needed) return true;
  diagnostics.error(points_element(), fmt::format("{} finite points", points.size()),
                    fmt::format("{} for F({},{})", needed, m, r), "infinity is always there and not written");
  return false;
}

bool are_different(const Points& points, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::find(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i), points[i]) !=
        points.begin() + static_cast<std::ptrdiff_t>(i)) {
      diagnostics.error(points_element(), fmt::format("{} stands twice", text(points[i])), "different points");
      return false;
    }
  return true;
}

}  // namespace

Points usual_points(int m, int r) {
  Points points = {0, 1, -1, 2, -2, fraction(1, 2), fraction(-1, 2)};
  for (int next = 3; static_cast<int>(points.size()) < finite_points(m, r); ++next) {
    for (const Rational& point : {Rational(next), fraction(1, next)}) {
      points.push_back(point);
      points.push_back(-point);
    }
  }
  points.resize(static_cast<std::size_t>(finite_points(m, r)));
  return points;
}

Points accurate_points(int m, int r) {
  if (finite_points(m, r) == 5) return symmetric(5, {fraction(5, 7), fraction(7, 5)});
  return usual_points(m, r);
}

std::optional<Points> symmetric_points(int m, int r, const std::vector<Rational>& positive) {
  Points points = symmetric(finite_points(m, r), positive);
  if (static_cast<int>(points.size()) != finite_points(m, r)) return std::nullopt;
  return points;
}

std::optional<Points> parse_points(std::string_view text, int m, int r, Diagnostics& diagnostics) {
  if (text == "usual") return usual_points(m, r);
  if (text == "accurate") return accurate_points(m, r);
  Points points;
  for (const std::string_view part : split(text)) {
    const auto point = parse_rational(part);
    if (!point) {
      diagnostics.error(points_element(), fmt::format("'{}'", part), "a number such as 2, -1/2 or 0.5",
                        "or one of the names usual, accurate");
      return std::nullopt;
    }
    points.push_back(*point);
  }
  if (!check_points(points, m, r, diagnostics)) return std::nullopt;
  return points;
}

bool check_points(const Points& points, int m, int r, Diagnostics& diagnostics) {
  const bool range = m >= 1 && m <= most_outputs && r >= 1 && r <= most_kernel && input_length(m, r) >= 2;
  if (!range)
    diagnostics.error({}, fmt::format("F({},{})", m, r),
                      fmt::format("1 to {} outputs and 1 to {} weights, not both 1", most_outputs, most_kernel));
  return range && are_enough(points, m, r, diagnostics) && are_different(points, diagnostics);
}

std::string text(const Points& points) {
  std::string result;
  for (const Rational& point : points) result += text(point) + ", ";
  return result + "infinity";
}

}  // namespace convscope::winograd
