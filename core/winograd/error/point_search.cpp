#include "core/winograd/error/point_search.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace convscope::winograd {
namespace {

constexpr int most_numerator = 9, most_denominator = 8, most_pairs = 3;
constexpr int neighbourhood = 2;  ///< places that a point moves by among all candidates

std::vector<Rational> candidates() {
  std::vector<Rational> result;
  for (int q = 1; q <= most_denominator; ++q)
    for (int p = 1; p <= most_numerator; ++p)
      if (std::gcd(p, q) == 1) result.push_back(Rational(p) / q);
  std::sort(result.begin(), result.end());
  return result;
}

bool better(const RankedPoints& x, const RankedPoints& y) {
  return x.error.largest < y.error.largest;
}

/// Sets of points as the places of their positive ones among all candidates, ascending.
using Places = std::vector<int>;

std::vector<Places> sets_of(int pairs, int candidates) {
  std::vector<Places> sets{{}};
  for (int depth = 0; depth < pairs; ++depth) {
    std::vector<Places> longer;
    for (const Places& set : sets)
      for (int next = set.empty() ? 0 : set.back() + 1; next < candidates; ++next) {
        longer.push_back(set);
        longer.back().push_back(next);
      }
    sets = std::move(longer);
  }
  return sets;
}

/// The first `count` drawn at random; the same on every host, which the standard's shuffle isn't.
void draw_first(std::vector<Places>& sets, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < count; ++i) std::swap(sets[i], sets[i + random() % (sets.size() - i)]);
}

/// Measures sets once each.
class Measuring {
 public:
  Measuring(int m, int r, const ErrorSetup& setup, std::size_t budget, const std::stop_token& stop,
            const ProgressCallback& progress)
      : m_(m), r_(r), trial_(m, r, setup), budget_(budget), stop_(stop), progress_(progress) {}

  bool exhausted() const { return known_.size() >= budget_; }

  /// Nothing if it is known, or the budget spent.
  void measure(const Places& places) {
    if (exhausted() || !known_.insert(places).second) return;
    if (progress_ && known_.size() % 16 == 1)
      progress_(static_cast<double>(known_.size()) / static_cast<double>(budget_), "measuring points");
    std::vector<Rational> positive;
    for (const int place : places) positive.push_back(all_[static_cast<std::size_t>(place)]);
    Diagnostics none;
    const Points points = *symmetric_points(m_, r_, positive);
    if (const auto transform = make_transform(m_, r_, points, none))
      measured_.push_back({{points, trial_.of(*transform, stop_)}, places, false});
  }

  /// Neighbours of the best whose neighbours weren't measured; false if there is none.
  bool around_best() {
    Measured* best = nullptr;
    for (Measured& each : measured_)
      if (!each.left && (best == nullptr || better(each.ranked, best->ranked))) best = &each;
    if (best == nullptr) return false;
    best->left = true;
    const Places from = best->places;  // measuring moves the list
    for (std::size_t i = 0; i < from.size(); ++i)
      for (int by = -neighbourhood; by <= neighbourhood; ++by) {
        Places moved = from;
        moved[i] += by;
        const bool ascends = std::adjacent_find(moved.begin(), moved.end(), std::greater_equal<>()) == moved.end();
        if (ascends && moved.front() >= 0 && moved.back() < static_cast<int>(all_.size())) measure(moved);
      }
    return true;
  }

  std::vector<RankedPoints> ranked() const {
    std::vector<RankedPoints> result;
    for (const Measured& each : measured_) result.push_back(each.ranked);
    std::stable_sort(result.begin(), result.end(), better);
    return result;
  }

 private:
  struct Measured {
    RankedPoints ranked;
    Places places;
    bool left = false;  ///< for its neighbours
  };

  const int m_, r_;
  const std::vector<Rational> all_ = candidates();
  const ErrorTrial trial_;
  const std::size_t budget_;
  const std::stop_token& stop_;
  const ProgressCallback& progress_;
  std::set<Places> known_;
  std::vector<Measured> measured_;
};

/// The best of those that were measured on small data.
std::vector<Points> promising(int m, int r, const ErrorSetup& setup, const SearchBudget& budget,
                              const std::stop_token& stop, const ProgressCallback& progress) {
  std::vector<Places> sets = sets_of(finite_points(m, r) / 2, static_cast<int>(candidates().size()));
  const std::size_t most = std::min(sets.size(), static_cast<std::size_t>(std::max(budget.sets, 1)));
  const std::size_t first = most < sets.size() ? (most + 1) / 2 : most;
  if (first < sets.size()) draw_first(sets, first, setup.seed);
  Measuring measuring(m, r, setup, most, stop, progress);
  for (std::size_t i = 0; i < first; ++i) measuring.measure(sets[i]);
  while (!measuring.exhausted() && measuring.around_best()) {
  }
  std::vector<Points> best;
  for (RankedPoints& entry : measuring.ranked())
    if (static_cast<int>(best.size()) < budget.kept) best.push_back(std::move(entry.points));
  return best;
}

ErrorSetup small(const ErrorSetup& setup) {
  ErrorSetup result = setup;
  result.channels = std::min(setup.channels, 64);
  result.kernels = std::min(setup.kernels, 8);
  result.tiles = std::min(setup.tiles, 8);
  return result;
}

}  // namespace

std::optional<std::vector<RankedPoints>> search_points(int m, int r, const ErrorSetup& setup,
                                                       const SearchBudget& budget, const std::stop_token& stop,
                                                       const ProgressCallback& progress, Diagnostics& diagnostics) {
  const int pairs = finite_points(m, r) / 2;
  if (pairs < 1 || pairs > most_pairs) {
    diagnostics.error({}, fmt::format("F({},{}) has {} symmetric pairs of points", m, r, pairs),
                      fmt::format("one to {}", most_pairs), "points by hand are measured for every size");
    return std::nullopt;
  }
  std::vector<Points> best = promising(m, r, small(setup), budget, stop, progress);
  for (const Points& known : {usual_points(m, r), accurate_points(m, r)})
    if (std::find(best.begin(), best.end(), known) == best.end()) best.push_back(known);
  const ErrorTrial trial(m, r, setup);
  std::vector<RankedPoints> result;
  Diagnostics none;
  for (Points& points : best)
    if (const auto transform = make_transform(m, r, points, none))
      result.push_back({std::move(points), trial.of(*transform, stop)});
  std::stable_sort(result.begin(), result.end(), better);
  return result;
}

}  // namespace convscope::winograd
