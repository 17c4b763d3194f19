// Measured errors: those of the literature's points, of better ones, and of sums in blocks.

#include "core/winograd/error/error.h"

#include <cstdlib>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "core/winograd/error/point_search.h"

namespace convscope::winograd {
namespace {

MeasuredError measured(int m, int r, const std::string& points, const ErrorSetup& setup) {
  Diagnostics diagnostics;
  const auto parsed = parse_points(points, m, r, diagnostics);
  const auto transform = make_transform(m, r, parsed.value(), diagnostics);
  return ErrorTrial(m, r, setup).of(transform.value(), {});
}

/// As the literature's points and ours were measured before; |e| / |y| hardly depends on the data, the largest error
/// does.
struct KnownError {
  int m, r, channels, chain;
  const char* points;
  double l2, largest;
};

TEST(ErrorTest, IsThatOfOtherMeasurements) {
  const KnownError rows[] = {
      {2, 3, 64, 0, "usual", 2.5e-7, 7.4e-7},         {4, 3, 64, 0, "usual", 1.8e-6, 1.9e-5},
      {4, 3, 64, 0, "0,1,-1,1/2,-2", 1.0e-6, 4.6e-6}, {4, 3, 64, 0, "accurate", 7.6e-7, 3.1e-6},
      {6, 3, 64, 0, "usual", 3.1e-6, 2.5e-5},         {2, 5, 64, 0, "usual", 1.8e-6, 6.6e-6},
      {4, 3, 512, 0, "accurate", 2.0e-6, 8.1e-6},     {4, 3, 512, 64, "accurate", 8.1e-7, 3.3e-6}};
  for (const KnownError& row : rows) {
    const ErrorSetup setup{row.channels, 16, row.channels > 64 ? 4 : 16, row.chain, 1};
    const MeasuredError error = measured(row.m, row.r, row.points, setup);
    const std::string what = "F(" + std::to_string(row.m) + "," + std::to_string(row.r) + ") " + row.points;
    EXPECT_NEAR(error.l2, row.l2, row.l2 * 0.2) << what;
    EXPECT_GT(error.largest, row.largest * 0.5) << what;
    EXPECT_LT(error.largest, row.largest * 2) << what;
  }
}

TEST(ErrorTest, BlocksOfChannelsMakeF43AsExactAsADirectSum) {
  const ErrorSetup blocks{512, 8, 4, 64, 3}, chain{512, 8, 4, 0, 3};
  const double error = measured(4, 3, "accurate", blocks).largest;
  EXPECT_LT(error, 5e-6);
  EXPECT_LT(error, ErrorTrial(4, 3, chain).of_direct({}).largest);
  EXPECT_LT(error, measured(4, 3, "accurate", chain).largest);
}

TEST(ErrorTest, F63StaysInItsBound) {
  EXPECT_LT(measured(6, 3, "usual", {512, 8, 4, 64, 3}).largest, 3e-5);
}

// Sums may be in another order where another coefficient is 1.
TEST(ErrorTest, PowersOfTwoAsRowScalesHardlyChangeIt) {
  Diagnostics diagnostics;
  const Transform t = make_transform(4, 3, usual_points(4, 3), diagnostics).value();
  const ErrorTrial trial(4, 3, {64, 8, 8, 0, 5});
  const double plain = trial.of(t, {}).l2;
  EXPECT_NEAR(trial.of(scaled(t, {2, 4, 4, 1, 1, 8}), {}).l2, plain, plain * 0.1);
}

TEST(ErrorTest, SearchFindsPointsThatAreMuchBetterThanTheUsualOnes) {
  Diagnostics diagnostics;
  const ErrorSetup setup{16, 4, 4, 0, 1};
  const auto found = search_points(3, 2, setup, {2048, 4}, {}, {}, diagnostics);
  ASSERT_TRUE(found) << diagnostics.text();
  ASSERT_GE(found->size(), 4U);
  for (std::size_t i = 1; i < found->size(); ++i) EXPECT_LE((*found)[i - 1].error.largest, (*found)[i].error.largest);
  EXPECT_EQ((*found)[0].error.largest,
            ErrorTrial(3, 2, setup).of(make_transform(3, 2, (*found)[0].points, diagnostics).value(), {}).largest);
}

TEST(ErrorTest, WholeSearchOfF43) {
  if (!std::getenv("CONVSCOPE_FULL")) GTEST_SKIP() << "1,176 pairs: set CONVSCOPE_FULL";
  Diagnostics diagnostics;
  const auto found = search_points(4, 3, {64, 16, 16, 0, 1}, {2048, 8}, {}, {}, diagnostics);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->back().points, usual_points(4, 3));
  EXPECT_LT(found->front().error.largest, found->back().error.largest / 4);
}

/// 18,424 sets of three pairs: as many are tried as the budget has, half of them near the best.
TEST(ErrorTest, SearchesThreePairsWithinItsBudget) {
  const ErrorSetup setup{4, 2, 2, 0, 1};
  const auto best = [&](int sets, std::uint64_t seed) {
    Diagnostics diagnostics;
    ErrorSetup seeded = setup;
    seeded.seed = seed;
    auto found = search_points(6, 3, seeded, {sets, 4}, {}, {}, diagnostics);
    EXPECT_TRUE(found) << diagnostics.text();
    EXPECT_GE(found->size(), 4U);
    for (const RankedPoints& each : *found) EXPECT_EQ(each.points.size(), 7U);
    return found->front();
  };
  const RankedPoints some = best(30, 1);
  EXPECT_EQ(best(30, 1).points, some.points) << "the same seed takes the same way";
  EXPECT_LE(some.error.largest, measured(6, 3, "usual", setup).largest) << "the usual points are among them";
  int steps = 0;
  Diagnostics diagnostics;
  double last = 0;
  const auto count = [&](double share, const auto&) {
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1);
    last = share;
    ++steps;
  };
  EXPECT_TRUE(search_points(6, 3, setup, {64, 1}, {}, count, diagnostics));
  EXPECT_EQ(steps, 64 / 16);
}

TEST(ErrorRefusalTest, SearchesNoMoreThanThreePairs) {
  Diagnostics diagnostics;
  EXPECT_FALSE(search_points(8, 3, {}, {100, 4}, {}, {}, diagnostics));
  EXPECT_FALSE(search_points(1, 2, {}, {100, 4}, {}, {}, diagnostics));
  EXPECT_EQ(diagnostics.count(Severity::error), 2U);
}

TEST(ErrorRefusalTest, StopsWhenAsked) {
  Diagnostics diagnostics;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(search_points(4, 3, {}, {2048, 4}, stop.get_token(), {}, diagnostics), Cancelled);
}

}  // namespace
}  // namespace convscope::winograd
