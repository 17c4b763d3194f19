#include "core/winograd/error/point_search.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace convscope::winograd {
namespace {

constexpr int most_numerator = 9, most_denominator = 8, most_pairs = 2;

std::vector<Rational> candidates() {
  std::vector<Rational> result;
  for (int q = 1; q <= most_denominator; ++q)
    for (int p = 1; p <= most_numerator; ++p)
      if (std::gcd(p, q) == 1) result.push_back(Rational(p) / q);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<Points> sets_of(int m, int r) {
  const std::vector<Rational> all = candidates();
  std::vector<Points> sets;
  if (finite_points(m, r) / 2 == 1) {
    for (const Rational& a : all) sets.push_back(*symmetric_points(m, r, {a}));
    return sets;
  }
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b) sets.push_back(*symmetric_points(m, r, {all[a], all[b]}));
  return sets;
}

std::vector<RankedPoints> ranked(const std::vector<Points>& sets, int m, int r, const ErrorSetup& setup,
                                 const std::stop_token& stop, const ProgressCallback& progress) {
  const ErrorTrial trial(m, r, setup);
  std::vector<RankedPoints> result;
  Diagnostics none;
  for (const Points& points : sets) {
    if (progress && result.size() % 16 == 0)
      progress(static_cast<double>(result.size()) / static_cast<double>(sets.size()), "measuring points");
    const auto transform = make_transform(m, r, points, none);
    if (transform) result.push_back({points, trial.of(*transform, stop)});
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const RankedPoints& x, const RankedPoints& y) { return x.error.largest < y.error.largest; });
  return result;
}

ErrorSetup small(const ErrorSetup& setup) {
  ErrorSetup result = setup;
  result.channels = std::min(setup.channels, 64);
  result.kernels = std::min(setup.kernels, 8);
  result.tiles = std::min(setup.tiles, 8);
  return result;
}

}  // namespace

std::optional<std::vector<RankedPoints>> search_points(int m, int r, const ErrorSetup& setup, int kept,
                                                       const std::stop_token& stop, const ProgressCallback& progress,
                                                       Diagnostics& diagnostics) {
  const int pairs = finite_points(m, r) / 2;
  if (pairs < 1 || pairs > most_pairs) {
    diagnostics.error({}, fmt::format("F({},{}) has {} symmetric pairs of points", m, r, pairs),
                      fmt::format("one to {}", most_pairs), "points by hand are measured for every size");
    return std::nullopt;
  }
  std::vector<Points> best;
  for (RankedPoints& entry : ranked(sets_of(m, r), m, r, small(setup), stop, progress)) {
    if (static_cast<int>(best.size()) >= kept) break;
    best.push_back(std::move(entry.points));
  }
  for (const Points& known : {usual_points(m, r), accurate_points(m, r)})
    if (std::find(best.begin(), best.end(), known) == best.end()) best.push_back(known);
  return ranked(best, m, r, setup, stop, progress);
}

}  // namespace convscope::winograd
