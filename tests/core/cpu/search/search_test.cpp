#include "core/cpu/search/search.h"

#include <algorithm>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/search/finalists.h"
#include "made_up_workshop.h"

namespace convscope::cpu::test {
namespace {

SearchOptions options(Algorithm algorithm, int variants, std::uint64_t seed = 1) {
  SearchOptions result;
  result.algorithm = algorithm;
  result.variants = variants;
  result.seed = seed;
  return result;
}

class EachAlgorithm : public testing::TestWithParam<Algorithm> {};

TEST_P(EachAlgorithm, AThousandVariantsAreAllAccountedFor) {
  MadeUpWorld world;
  const SearchResult result = search(world.workshop(), options(GetParam(), 1000), {}, {});
  EXPECT_FALSE(result.stopped);
  ASSERT_EQ(result.variants.size(), 1000U);
  std::set<std::string> paths;
  for (const Tried& tried : result.variants) paths.insert(json(tried.path));
  EXPECT_EQ(paths.size(), 1000U) << "none is tried twice";
  const auto counts = endings(result);
  const int all =
      std::accumulate(counts.begin(), counts.end(), 0, [](int sum, const auto& each) { return sum + each.second; });
  EXPECT_EQ(all, 1000);
  EXPECT_EQ(counts.size(), 9U) << "seven kinds of hostile ones, what doesn't compile, what ran";
  EXPECT_EQ(world.prepared, 1000) << "what is compared again is still there";
}

TEST_P(EachAlgorithm, TheSameSeedTriesTheSameForAnyNumberOfThreads) {
  MadeUpWorld one, four;
  SearchOptions serial = options(GetParam(), 150, 5), parallel = serial;
  serial.threads = 1;
  parallel.threads = 4;
  const SearchResult a = search(one.workshop(), serial, {}, {}), b = search(four.workshop(), parallel, {}, {});
  EXPECT_TRUE(same(a.variants, b.variants));
  EXPECT_TRUE(same(a.finals, b.finals));
  MadeUpWorld another;
  EXPECT_FALSE(same(a.variants, search(another.workshop(), options(GetParam(), 150, 6), {}, {}).variants));
}

TEST_P(EachAlgorithm, KilledAndResumedEqualsUninterrupted) {
  MadeUpWorld whole;
  const SearchResult expected = search(whole.workshop(), options(GetParam(), 120), {}, {});
  for (const int killed_after : {0, 1, 17, 77}) {
    MadeUpWorld world;
    world.stop_after = killed_after;
    const SearchResult part = search(world.workshop(), options(GetParam(), 120), {}, world.source.get_token());
    EXPECT_TRUE(part.stopped);
    EXPECT_LT(part.variants.size(), 120U);
    world.stop_after = -1;
    const SearchResult resumed = search(world.workshop(), options(GetParam(), 120), {}, {});
    EXPECT_TRUE(same(resumed.variants, expected.variants));
    EXPECT_TRUE(same(resumed.finals, expected.finals));
    EXPECT_EQ(resumed.reused, static_cast<int>(part.variants.size()));
    EXPECT_EQ(world.measured, whole.measured) << "nothing was measured twice";
  }
}

TEST_P(EachAlgorithm, LongerSearchesBeginLikeShorterOnes) {
  MadeUpWorld world;
  const SearchResult part = search(world.workshop(), options(GetParam(), 50), {}, {});
  const SearchResult more = search(world.workshop(), options(GetParam(), 100), {}, {});
  EXPECT_EQ(more.reused, 50);
  EXPECT_TRUE(same(part.variants, {more.variants.begin(), more.variants.begin() + 50}));
}

TEST_P(EachAlgorithm, EndsWhereTheTreeDoes) {
  MadeUpWorld world;
  world.values = 2;
  const SearchResult result = search(world.workshop(), options(GetParam(), 1000), {}, {});
  EXPECT_LE(result.variants.size(), 16U);  // level 2 has one value left
  EXPECT_GE(result.variants.size(), 12U);
}

TEST_P(EachAlgorithm, GoesOnWhereNothingRuns) {
  MadeUpWorld world;
  world.hostile = 1;
  const SearchResult result = search(world.workshop(), options(GetParam(), 100), {}, {});
  EXPECT_EQ(result.variants.size(), 100U);
  EXPECT_EQ(best(result), nullptr);
  EXPECT_TRUE(result.finals.empty());
}

INSTANTIATE_TEST_SUITE_P(All, EachAlgorithm, testing::ValuesIn(all_algorithms),
                         [](const auto& tested) { return std::string(key(tested.param)); });

double best_of(Algorithm algorithm, std::uint64_t seed) {
  MadeUpWorld world;
  world.hostile = 0;
  return best(search(world.workshop(), options(algorithm, 100, seed), {}, {}))->outcome.minimum;
}

TEST_P(EachAlgorithm, LeavesOutWhatAddsAsAnInaccurateOneDid) {
  MadeUpWorld world;
  world.hostile = 0;
  Workshop workshop = world.workshop();
  const auto next_level = workshop.tree.next_level;
  workshop.tree.next_level = [&](const Path& path) {
    const std::string level = next_level(path);
    return level == "level0" ? "transform" : level;  // those of value 5 are the fastest
  };
  const auto run = workshop.run;
  workshop.run = [&](const Prepared& made, const std::stop_token& stop) {
    Outcome outcome = run(made, stop);
    if (MadeUpWorld::number(std::any_cast<Path>(made.program), 0) >= 4) outcome.ending = Ending::inaccurate;
    return outcome;
  };
  SearchOptions options;
  options.algorithm = GetParam();
  options.variants = 60;
  const SearchResult result = search(workshop, options, {}, {});
  const auto counts = endings(result);
  EXPECT_EQ(result.variants.size(), 60U);
  // Of each of the four values that err too much those that were compiled together.
  EXPECT_LE(counts.at(Ending::inaccurate), 16);
  ASSERT_NE(best(result), nullptr);
  EXPECT_LT(MadeUpWorld::number(best(result)->path, 0), 4);
}

TEST(Search, DirectedOnesFindBetterThanRandomOnes) {
  double random = 0, narrowing = 0, genetic = 0, guided = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    random += best_of(Algorithm::random, seed);
    narrowing += best_of(Algorithm::narrowing, seed);
    genetic += best_of(Algorithm::genetic, seed);
    guided += best_of(Algorithm::guided, seed);
  }
  EXPECT_LT(narrowing, random);
  EXPECT_LT(genetic, random);
  EXPECT_LT(guided, narrowing);
}

TEST(Search, FinalsAreTheFastestAndOneOfThemIsTheBest) {
  MadeUpWorld world;
  const SearchResult result = search(world.workshop(), options(Algorithm::random, 100), {}, {});
  ASSERT_EQ(result.finals.size(), 12U);
  const auto fast = fastest(result.variants, 12);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(result.finals[i].path, result.variants[fast[i]].path);
  EXPECT_EQ(best(result), &result.finals[0]);
  SearchOptions none = options(Algorithm::random, 100);
  none.finals = 0;
  EXPECT_TRUE(search(world.workshop(), none, {}, {}).finals.empty());
}

/// A world in which what is measured alone is off by up to a fifth, and what is compared isn't.
struct NoisyWorld : MadeUpWorld {
  std::vector<std::pair<Occasion::Kind, std::size_t>> comparisons;  ///< with how many each

  Workshop noisy() {
    Workshop result = workshop();
    result.run = [this](const Prepared& made, const std::stop_token&) {
      Outcome alone = outcome(std::any_cast<const Path&>(made.program));
      alone.minimum *= 1 + 0.2 * static_cast<double>(hash(std::any_cast<const Path&>(made.program)) % 89) / 89;
      return alone;
    };
    result.compare = [this, all = result.compare](const std::vector<Prepared>& prepared, Occasion::Kind kind,
                                                  const std::stop_token& stop) {
      comparisons.emplace_back(kind, prepared.size());
      return all(prepared, kind, stop);
    };
    return result;
  }
};

TEST(Search, TheFastestAreMeasuredAgainInTurnBeforeMoreIsProposed) {
  NoisyWorld world;
  world.hostile = 0;
  const SearchResult result = search(world.noisy(), options(Algorithm::guided, 60), {}, {});
  using Kind = Occasion::Kind;
  EXPECT_THAT(world.comparisons,
              testing::ElementsAre(testing::Pair(Kind::in_turn, 12), testing::Pair(Kind::in_turn, 12),
                                   testing::Pair(Kind::final, 12)));
  const auto exact = std::count_if(result.variants.begin(), result.variants.end(), [](const Tried& tried) {
    return tried.outcome.minimum == MadeUpWorld::seconds(tried.path);
  });
  EXPECT_GE(exact, 12);
  EXPECT_LE(exact, 26) << "24 at most, and whose noise is none";
}

TEST(Search, RandomOnesAreComparedAtTheEndAlone) {
  NoisyWorld world;
  search(world.noisy(), options(Algorithm::random, 90), {}, {});
  EXPECT_THAT(world.comparisons, testing::ElementsAre(testing::Pair(Occasion::Kind::final, 12)));
}

Tried stored(const char* store, double seconds, const char* tile) {
  Tried tried;
  tried.path.choices = {{"tile", tile}, {"store", store}};
  tried.outcome.ending = Ending::ran;
  tried.outcome.minimum = seconds;
  return tried;
}

TEST(Search, HalfOfTheFinalistsAreOfTheOtherWayOfStoring) {
  std::vector<Tried> tried;
  for (int i = 0; i < 6; ++i) tried.push_back(stored("streaming", 1 + i, "a"));
  tried.push_back(stored("plain", 20, "b"));
  tried.push_back(stored("plain", 10, "c"));
  EXPECT_THAT(finalists(tried, 4), testing::ElementsAre(0, 1, 7, 6));
  EXPECT_THAT(finalists(tried, 6), testing::ElementsAre(0, 1, 2, 3, 7, 6));
  tried.pop_back();
  EXPECT_THAT(finalists(tried, 4), testing::ElementsAre(0, 1, 2, 6));
  tried.pop_back();
  EXPECT_THAT(finalists(tried, 2), testing::ElementsAre(0, 1));
  EXPECT_TRUE(finalists(tried, 0).empty());
}

// A full disk, say: when there is room again, the same search does what it couldn't.
TEST(Search, WhatWasNotTriedIsTriedAgain) {
  MadeUpWorld world;
  Workshop workshop = world.workshop();
  workshop.prepare = [&](const std::vector<Path>& paths, const std::stop_token&) {
    std::vector<Prepared> all(paths.size());
    for (Prepared& each : all) each.failure = failed(Ending::unavailable, "no room");
    return all;
  };
  SearchOptions options;
  options.variants = 30;
  const SearchResult full = search(workshop, options, {}, {});
  EXPECT_EQ(full.variants.size(), 30U);
  EXPECT_EQ(best(full), nullptr);
  EXPECT_EQ(usual_failure(full), "no room");
  for (auto& [key, outcome] : world.store) FAIL() << key << " is kept";
  const SearchResult again = search(world.workshop(), options, {}, {}),
                     fresh = search(MadeUpWorld().workshop(), options, {}, {});
  EXPECT_EQ(again.reused, 0);
  EXPECT_TRUE(same(again.variants, fresh.variants));
  ASSERT_TRUE(best(again));
  // Kept by an older program.
  for (auto& [key, outcome] : world.store) outcome = failed(Ending::unavailable, "no room");
  EXPECT_TRUE(same(search(world.workshop(), options, {}, {}).variants, fresh.variants));
}

TEST(Search, TellsOfEachVariantInOrder) {
  MadeUpWorld world;
  std::vector<std::size_t> counts;
  search(world.workshop(), options(Algorithm::guided, 30),
         [&](const SearchResult& so_far) { counts.push_back(so_far.variants.size()); }, {});
  std::vector<std::size_t> expected(30);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(counts, expected);
}

double kept_share(double keep) {
  const MadeUpWorld world;
  const TreeView tree = world.tree();
  Walker walker(tree, 1);
  const Path from = *walker.fresh(Walker::Weighting::weighted);
  int kept = 0;
  for (int i = 0; i < 40; ++i) {
    const Path near = *walker.neighbour(from, keep);
    for (std::size_t level = 0; level < 5; ++level) kept += near.choices[level] == from.choices[level] ? 1 : 0;
  }
  return kept / 200.0;
}

TEST(Walker, NeighboursKeepValues) {
  EXPECT_NEAR(kept_share(0.75), 0.72, 0.08);  // less than .75, as none is returned twice
  EXPECT_NEAR(kept_share(0), 0.15, 0.08);     // drawn again by chance
}

TEST(Walker, WeightsAndRejectionsCount) {
  const MadeUpWorld world;
  const TreeView tree = world.tree();
  Walker walker(tree, 1);
  int heavy = 0;
  for (int i = 0; i < 300; ++i) {
    const Path path = *walker.fresh(Walker::Weighting::weighted);
    EXPECT_NE(path.choices[1].value, path.choices[2].value);
    heavy += MadeUpWorld::number(path, 0) % 3 == 0 ? 1 : 0;
  }
  EXPECT_NEAR(heavy / 300.0, 6.0 / 11, 0.08);
}

}  // namespace
}  // namespace convscope::cpu::test
