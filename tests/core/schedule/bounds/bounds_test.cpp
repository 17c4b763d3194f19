#include "core/schedule/bounds/bounds.h"

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace convscope::schedule {
namespace {

Problem operations(int count, std::vector<Dependence> dependences) {
  return {{}, std::vector<Operation>(static_cast<std::size_t>(count)), std::move(dependences)};
}

TEST(ResourceBound, IsThatOfTheFirstBusiestResource) {
  const Problem problem{
      {{"A", 1}, {"B", 2}, {"C", 1}},
      {{"x", {{1, 0}, {1, 0}, {1, 1}}}, {"y", {{0, 0}, {2, 3}}}, {"z", {{2, 0}, {1, 0}, {1, 0}, {0, 9}}}},
      {}};
  int resource = -1;
  EXPECT_EQ(resource_bound(problem, &resource), 3);
  EXPECT_EQ(resource, 1);
  EXPECT_EQ(resource_bound(problem), 3);
  const Problem tied{{{"A", 2}, {"B", 1}}, {{"x", {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}}}}, {}};
  EXPECT_EQ(resource_bound(tied, &resource), 2);
  EXPECT_EQ(resource, 0);
}

TEST(ResourceBound, IsZeroIfNothingIsUsed) {
  int resource = 5;
  EXPECT_EQ(resource_bound({{{"A", 1}}, {{"x", {}}}, {}}, &resource), 0);
  EXPECT_EQ(resource, -1);
  EXPECT_EQ(resource_bound({}, nullptr), 0);
}

TEST(ResourceBound, ThereIsNoneWithoutUnits) {
  int resource = -1;
  EXPECT_EQ(resource_bound({{{"A", 1}, {"none", 0}}, {{"x", {{0, 0}, {1, 0}}}}, {}}, &resource), no_interval);
  EXPECT_EQ(resource, 1);
}

TEST(RecurrenceBound, OfAnAccumulatorIsItsLatency) {
  EXPECT_EQ(recurrence_bound(operations(1, {{0, 0, 7, 1}})), 7);
  EXPECT_EQ(recurrence_bound(operations(1, {{0, 0, 7, 2}})), 4);
  EXPECT_EQ(recurrence_bound(operations(1, {{0, 0, 7, 7}})), 1);
}

TEST(RecurrenceBound, IsThatOfTheTightestCircle) {
  // 0 -> 1 -> 2 -> 0 needs ceil(9 / 2), 1 -> 2 -> 1 needs 6.
  EXPECT_EQ(recurrence_bound(operations(3, {{0, 1, 3, 0}, {1, 2, 4, 0}, {2, 0, 2, 2}})), 5);
  EXPECT_EQ(recurrence_bound(operations(3, {{0, 1, 3, 0}, {1, 2, 4, 0}, {2, 0, 2, 2}, {2, 1, 2, 1}})), 6);
}

TEST(RecurrenceBound, LooksAtEachComponent) {
  EXPECT_EQ(recurrence_bound(operations(4, {{0, 1, 3, 0}, {1, 0, 3, 1}, {1, 2, 50, 0}, {2, 3, 5, 0}, {3, 2, 5, 1}})),
            10);
}

TEST(RecurrenceBound, IsOneWithoutCircles) {
  EXPECT_EQ(recurrence_bound({}), 1);
  EXPECT_EQ(recurrence_bound(operations(3, {})), 1);
  EXPECT_EQ(recurrence_bound(operations(3, {{0, 1, 9, 0}, {1, 2, 9, 0}, {0, 2, 30, 1}})), 1);
}

TEST(RecurrenceBound, IsOneIfDistancesCancel) {
  EXPECT_EQ(recurrence_bound(operations(2, {{0, 1, 5, 0}, {1, 0, -5, 0}})), 1);
  EXPECT_EQ(recurrence_bound(operations(2, {{0, 1, 0, 0}, {1, 0, 0, 1}})), 1);
}

TEST(RecurrenceBound, ThereIsNoneForACircleWithinOneIteration) {
  EXPECT_EQ(recurrence_bound(operations(2, {{0, 1, 1, 0}, {1, 0, 0, 0}})), no_interval);
  EXPECT_EQ(recurrence_bound(operations(1, {{0, 0, 1, 0}})), no_interval);
  EXPECT_EQ(recurrence_bound(operations(4, {{2, 3, 9, 0}, {3, 2, 9, 1}, {0, 1, 1, 0}, {1, 0, 0, 0}})), no_interval);
}

TEST(RecurrenceBound, TakesLargeDistances) {
  EXPECT_EQ(recurrence_bound(operations(2, {{0, 1, 2'000'000'000, 0}, {1, 0, 2'000'000'000, 3}})), 1'333'333'334);
}

TEST(RecurrenceBound, TakesIterationsBackwards) {
  // 1 belongs to the iteration before: only the sum around the circle counts.
  EXPECT_EQ(recurrence_bound(operations(2, {{0, 1, 3, -1}, {1, 0, 4, 2}})), 7);
}

TEST(UnmetCircle, ListsTheOperationsInOrder) {
  const auto circle =
      unmet_circle(operations(5, {{0, 1, 1, 0}, {1, 3, 1, 0}, {3, 4, 1, 0}, {4, 1, -1, 0}, {3, 0, 9, 1}}));
  ASSERT_EQ(circle.size(), 3U);
  const auto first = static_cast<std::size_t>(std::find(circle.begin(), circle.end(), 1) - circle.begin());
  EXPECT_EQ(circle[(first + 1) % 3], 3);
  EXPECT_EQ(circle[(first + 2) % 3], 4);
  EXPECT_TRUE(unmet_circle(operations(2, {{0, 1, 9, 0}, {1, 0, 9, 1}})).empty());
  EXPECT_TRUE(unmet_circle({}).empty());
}

// Every simple circle by depth-first search: the bound is the largest ceil(distances / iterations).
std::int64_t by_enumeration(int count, const std::vector<Dependence>& dependences) {
  std::int64_t bound = 1;
  std::vector<bool> on_path(static_cast<std::size_t>(count));
  const std::function<void(int, int, std::int64_t, std::int64_t)> walk = [&](int start, int at, std::int64_t distance,
                                                                             std::int64_t iterations) {
    for (const Dependence& d : dependences) {
      if (d.from != at || d.to < start) continue;
      const std::int64_t sum = distance + d.distance, span = iterations + d.iterations;
      if (d.to == start) {
        if (sum > 0 && span == 0) bound = no_interval;
        if (sum > 0 && span > 0) bound = std::max(bound, (sum + span - 1) / span);
      } else if (!on_path[static_cast<std::size_t>(d.to)]) {
        on_path[static_cast<std::size_t>(d.to)] = true;
        walk(start, d.to, sum, span);
        on_path[static_cast<std::size_t>(d.to)] = false;
      }
    }
  };
  for (int start = 0; start < count; ++start) walk(start, start, 0, 0);
  return bound;
}

TEST(RecurrenceBound, AgreesWithTheEnumerationOfCircles) {
  std::mt19937 random(13);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  int unmet = 0, above_one = 0;
  for (int round = 0; round < 2000; ++round) {
    const int count = 1 + below(6);
    std::vector<Dependence> dependences;
    for (int i = below(10); i > 0; --i)
      dependences.push_back({below(count), below(count), below(12) - 3, std::max(0, below(5) - 1)});
    const std::int64_t expected = by_enumeration(count, dependences);
    ASSERT_EQ(recurrence_bound(operations(count, dependences)), expected) << "round " << round;
    unmet += expected == no_interval;
    above_one += expected > 1 && expected != no_interval;
  }
  EXPECT_GT(unmet, 100);
  EXPECT_GT(above_one, 100);
}

// One component of 10,000 operations; a test that ran all rounds of Bellman-Ford would not end within minutes.
TEST(RecurrenceBound, OfALargeComponentIsFoundSoon) {
  constexpr int count = 10'000;
  std::vector<Dependence> dependences;
  for (int i = 0; i + 1 < count; ++i) dependences.push_back({i, i + 1, 3, 0});
  for (int i = 0; i < count; i += 100) dependences.push_back({i, std::max(0, i - 50), 1, 1});
  dependences.push_back({count - 1, 0, 1, 1});
  EXPECT_EQ(recurrence_bound(operations(count, dependences)), 3 * (count - 1) + 1);
}

}  // namespace
}  // namespace convscope::schedule
