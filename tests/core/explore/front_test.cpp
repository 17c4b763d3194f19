#include "core/explore/results/front.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spaces.h"

namespace convscope::explore {
namespace {

using testing::ElementsAre;

std::vector<Vector> random_vectors(unsigned seed, std::size_t count, std::size_t objectives) {
  std::mt19937 random(seed);
  std::vector<Vector> vectors(count);
  for (Vector& vector : vectors)
    for (std::size_t i = 0; i < objectives; ++i) vector.push_back(static_cast<double>(random() % 12));
  return vectors;
}

std::vector<std::uint64_t> by_definition(const std::vector<Vector>& vectors) {
  std::vector<std::uint64_t> points;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (std::none_of(vectors.begin(), vectors.end(), [&](const Vector& v) { return dominates(v, vectors[i]); }))
      points.push_back(i);
  return points;
}

std::vector<std::uint64_t> points_of(const Front& front) {
  std::vector<std::uint64_t> points;
  for (const Front::Member& member : front.members()) points.push_back(member.point);
  std::sort(points.begin(), points.end());
  return points;
}

TEST(Front, IsWhatNothingDominatesWhateverTheOrder) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const auto vectors = random_vectors(seed, 60, 1 + seed % 4);
    std::vector<std::uint64_t> order(vectors.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    Front forwards, shuffled;
    for (const std::uint64_t i : order) forwards.add(i, vectors[i]);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    for (const std::uint64_t i : order) shuffled.add(i, vectors[i]);
    EXPECT_EQ(points_of(forwards), by_definition(vectors));
    EXPECT_EQ(forwards.members(), shuffled.members());
  }
}

TEST(Front, SaysWhetherAPointIsOnIt) {
  Front front;
  EXPECT_TRUE(front.add(0, {2, 2}));
  EXPECT_FALSE(front.add(1, {2, 3}));
  EXPECT_TRUE(front.add(2, {2, 2})) << "equals stay side by side";
  EXPECT_TRUE(front.add(3, {1, 2}));
  EXPECT_THAT(points_of(front), ElementsAre(3u));
}

Space space_over(std::vector<Objective> objectives, double minimum_coverage) {
  Space space;
  space.outcomes = outcomes_of({});
  space.objectives = std::move(objectives);
  space.minimum_coverage = minimum_coverage;
  return space;
}

PointResult done(double seconds, double utilization, double coverage) {
  PointResult result;
  result.total = test::figures_with(outcomes_of({}), {{"seconds", seconds}, {"utilization", utilization}}, coverage);
  return result;
}

TEST(Front, ComparesOnlyWhatHasAllFiguresAndMapsEnough) {
  const std::vector<Objective> objectives = {{"seconds", false}, {"utilization", true}};
  EXPECT_EQ(objective_vector(done(3, 0.5, 1), space_over(objectives, 1)), (Vector{3, -0.5}));
  EXPECT_FALSE(objective_vector(done(3, 0.5, 0.9), space_over(objectives, 1)));
  EXPECT_TRUE(objective_vector(done(3, 0.5, 0.9), space_over(objectives, 0.9)));
  EXPECT_FALSE(objective_vector(done(3, 0.5, 1), space_over({{"memory_ports", false}}, 1)))
      << "the target doesn't state it";
  PointResult removed = done(3, 0.5, 1);
  removed.status = PointStatus::removed;
  EXPECT_FALSE(objective_vector(removed, space_over(objectives, 0)));
}

TEST(Front, KnowsEveryObjectiveThatIsOffered) {
  const Outcomes outcomes = outcomes_of({});
  PointResult result;
  result.total.values.assign(outcomes.figures.size(), {1.0});
  result.costs.assign(outcomes.costs.size(), 1.0);
  std::vector<std::string> keys;
  for (const artifact::FigureDescription& each : objectives_of({})) {
    keys.push_back(each.key);
    EXPECT_TRUE(noted(result, outcomes, each.key).value) << each.key;
    EXPECT_TRUE(each.objective) << each.key;
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"seconds", "cycles", "utilization", "bytes", "bytes_in", "bytes_out",
                                            "bytes_weights", "mac_units", "on_chip_bits", "instruction_bits",
                                            "memory_ports"}));
}

}  // namespace
}  // namespace convscope::explore
