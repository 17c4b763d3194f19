#include <algorithm>
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/explore/sweep/refinement.h"
#include "spaces.h"

namespace convscope::explore::test {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Space> square(int lanes, int bandwidths) {
  return space_of(space_xml("<parameter name='lanes' from='1' to='" + std::to_string(lanes) +
                            "'/><parameter name='bandwidth' from='1' to='" + std::to_string(bandwidths) + "'/>"),
                  MadeUpSources());
}

/// Every point that a strategy hands out, if point i costs what `cost` says.
template <typename Cost>
std::vector<std::uint64_t> handed_out(Strategy& strategy, Cost cost) {
  std::vector<std::uint64_t> points;
  Front front;
  while (true) {
    const auto batch = strategy.next(front);
    if (batch.empty()) return points;
    EXPECT_TRUE(std::is_sorted(batch.begin(), batch.end()));
    for (const std::uint64_t point : batch) front.add(point, cost(point));
    points.insert(points.end(), batch.begin(), batch.end());
  }
}

std::vector<std::uint64_t> handed_out(Strategy& strategy) {
  return handed_out(strategy, [](std::uint64_t) { return Vector{0}; });
}

TEST(Strategy, PermutationTakesEachNumberOnce) {
  for (const std::uint64_t size : {1u, 2u, 3u, 17u, 1000u}) {
    for (const std::uint64_t seed : {1u, 2u}) {
      const Permutation permutation(size, seed);
      std::set<std::uint64_t> seen;
      for (std::uint64_t i = 0; i < size; ++i) seen.insert(permutation(i));
      EXPECT_EQ(seen.size(), size);
      EXPECT_LT(*seen.rbegin(), size);
    }
  }
}

TEST(Strategy, GridIsEveryPointOfEachShard) {
  const auto space = square(100, 113);
  std::vector<std::uint64_t> all;
  for (std::uint64_t part = 0; part < 3; ++part) {
    const auto strategy = make_strategy({StrategyKind::grid, 0, 1, {part, 3}}, space);
    const auto points = handed_out(*strategy);
    EXPECT_EQ(strategy->total(), points.size());
    all.insert(all.end(), points.begin(), points.end());
  }
  ASSERT_EQ(all.size(), 11'300u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
}

TEST(Strategy, RandomDrawsAsManyDifferentPointsWhateverTheShards) {
  const auto space = square(100, 100);
  const auto drawn = [&](std::uint64_t seed, std::uint64_t parts) {
    std::set<std::uint64_t> points;
    for (std::uint64_t part = 0; part < parts; ++part) {
      const auto strategy = make_strategy({StrategyKind::random, 300, seed, {part, parts}}, space);
      for (const std::uint64_t point : handed_out(*strategy)) EXPECT_TRUE(points.insert(point).second);
    }
    return points;
  };
  EXPECT_EQ(drawn(1, 1).size(), 300u);
  EXPECT_EQ(drawn(1, 1), drawn(1, 4));
  EXPECT_NE(drawn(1, 1), drawn(2, 1));
  const auto points = drawn(1, 1);
  const auto below = std::count_if(points.begin(), points.end(), [](std::uint64_t point) { return point < 5000; });
  EXPECT_NEAR(static_cast<double>(below), 150, 50) << "drawn from all over the space";
}

// Time falls and cost rises with both parameters: refinement must find the whole front of what it can reach.
Vector smooth(const Space& space, std::uint64_t point) {
  const auto machine = space.point(point).machine;
  const double lanes = machine.get("lanes"), bandwidth = machine.get("bandwidth");
  return {std::max(1000 / lanes, 3000 / bandwidth), lanes * 4 + bandwidth};
}

TEST(Strategy, RefinementFindsTheFrontFromAPartOfTheSpace) {
  const auto space = square(64, 200);
  const auto cost = [&](std::uint64_t point) { return smooth(*space, point); };
  Front all, found;
  for (std::uint64_t i = 0; i < space->size(); ++i) all.add(i, cost(i));
  Refinement strategy(space, 0, 1);
  const auto points = handed_out(strategy, cost);
  for (const std::uint64_t point : points) found.add(point, cost(point));
  EXPECT_LT(points.size(), space->size() / 4);
  EXPECT_EQ(std::set<std::uint64_t>(points.begin(), points.end()).size(), points.size());
  std::size_t shared = 0;
  for (const Front::Member& member : all.members())
    shared += static_cast<std::size_t>(std::count(found.members().begin(), found.members().end(), member));
  EXPECT_GE(shared, all.members().size() * 9 / 10);
}

TEST(Strategy, RefinementKeepsItsBudget) {
  const auto space = square(64, 200);
  Refinement strategy(space, 50, 1);
  EXPECT_EQ(handed_out(strategy, [&](std::uint64_t point) { return smooth(*space, point); }).size(), 50u);
}

TEST(Strategy, RefusesWhatItCannotDo) {
  const auto space = square(2, 2);
  const auto refusal = [&](const StrategyOptions& options) {
    Diagnostics diagnostics;
    EXPECT_FALSE(check_strategy(options, *space, diagnostics));
    return diagnostics.text();
  };
  EXPECT_THAT(refusal({StrategyKind::random, 0, 1, {}}), HasSubstr("a random sample of 0 points"));
  EXPECT_THAT(refusal({StrategyKind::refine, 0, 1, {0, 2}}), HasSubstr("can't be divided"));
  Diagnostics diagnostics;
  EXPECT_TRUE(check_strategy({StrategyKind::grid, 0, 1, {0, 2}}, *space, diagnostics));
}

TEST(Strategy, RefusesAGridThatNoRunFinishes) {
  Diagnostics diagnostics;
  const auto space = read_space(
      "<space name='s'><network file='1'/><machines target='counting'>"
      "<parameter name='lanes' from='1' to='1000'/></machines></space>",
      "space.xml", MadeUpSources(), diagnostics);
  ASSERT_TRUE(space);
  Space large = *space;
  large.families.assign(200'000, space->families.front());
  EXPECT_FALSE(check_strategy({}, large, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("200000000 points"));
}

}  // namespace
}  // namespace convscope::explore::test
