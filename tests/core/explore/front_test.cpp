#include "core/explore/sweep/front.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

PointResult done(double seconds, double utilization, double coverage) {
  PointResult result;
  result.total.seconds = seconds;
  result.total.utilization = utilization;
  result.total.coverage = coverage;
  return result;
}

TEST(Front, ComparesOnlyWhatHasAllFiguresAndMapsEnough) {
  const std::vector<Objective> objectives = {{"seconds", false}, {"utilization", true}};
  EXPECT_EQ(objective_vector(done(3, 0.5, 1), objectives, 1), (Vector{3, -0.5}));
  EXPECT_FALSE(objective_vector(done(3, 0.5, 0.9), objectives, 1));
  EXPECT_TRUE(objective_vector(done(3, 0.5, 0.9), objectives, 0.9));
  EXPECT_FALSE(objective_vector(done(3, 0.5, 1), {{"memory_ports", false}}, 1)) << "the target doesn't state it";
  PointResult removed = done(3, 0.5, 1);
  removed.status = PointStatus::removed;
  EXPECT_FALSE(objective_vector(removed, objectives, 0));
}

TEST(Front, KnowsEveryObjectiveThatIsOffered) {
  PointResult result = done(1, 1, 1);
  result.cost = {1, 1, 1, 1};
  for (const ObjectiveKind& kind : objective_kinds()) EXPECT_TRUE(objective_value(result, kind.key)) << kind.key;
}

}  // namespace
}  // namespace convscope::explore
