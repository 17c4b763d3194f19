#include "core/artifact/timeline.h"

#include <algorithm>
#include <random>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::artifact {
namespace {

using testing::ElementsAre;

TimelineCell cell(int resource, std::int64_t begin, std::int64_t length, OperationKey operation, int stage = 0) {
  return {resource, begin, length, operation, stage, OperationClass::other, {}};
}

// initial | prologue | steady state x 3 | epilogue
//   a..   |   .a     |   ab ab ab       |   b
Timeline small() {
  return Timeline({"A", "B"}, {{"initial", 3, 1, 0, -1, {cell(0, 0, 1, 1)}},
                               {"prologue", 2, 1, 3, -1, {cell(0, 1, 1, 2, 1)}},
                               {"steady state", 2, 3, 5, 0, {cell(0, 0, 1, 2, 1), cell(1, 1, 1, 3)}},
                               {"epilogue", 1, 1, 7, 3, {cell(1, 0, 1, 3)}}});
}

using Placed = std::tuple<int, std::int64_t, OperationKey, std::int64_t>;  // section, begin, operation, iteration

std::vector<Placed> visited(const Timeline& timeline, std::int64_t begin, std::int64_t end) {
  std::vector<Placed> result;
  timeline.visit(begin, end, [&](const PlacedCell& placed) {
    result.emplace_back(placed.section, placed.begin, placed.cell->operation, placed.iteration);
  });
  return result;
}

TEST(Timeline, KnowsItsSections) {
  const Timeline timeline = small();
  EXPECT_EQ(timeline.length(), 12);
  EXPECT_EQ(timeline.section_start(2), 5);
  EXPECT_EQ(timeline.section_start(4), 12);
  EXPECT_EQ(timeline.section_at(0), 0);
  EXPECT_EQ(timeline.section_at(4), 1);
  EXPECT_EQ(timeline.section_at(5), 2);
  EXPECT_EQ(timeline.section_at(10), 2);
  EXPECT_EQ(timeline.section_at(11), 3);
  EXPECT_EQ(timeline.steady_state(), 2);
}

TEST(Timeline, VisitsTheWholeRunInOrder) {
  EXPECT_THAT(visited(small(), 0, 12), ElementsAre(Placed{0, 0, 1, -1}, Placed{1, 4, 2, 0}, Placed{2, 5, 2, 1},
                                                   Placed{2, 6, 3, 0}, Placed{2, 7, 2, 2}, Placed{2, 8, 3, 1},
                                                   Placed{2, 9, 2, 3}, Placed{2, 10, 3, 2}, Placed{3, 11, 3, 3}));
}

TEST(Timeline, VisitsOnlyWhatOverlaps) {
  EXPECT_THAT(visited(small(), 8, 10), ElementsAre(Placed{2, 8, 3, 1}, Placed{2, 9, 2, 3}));
  EXPECT_TRUE(visited(small(), 1, 4).empty());
}

TEST(Timeline, LastOfTheMostRepeatedSectionsIsTheSteadyState) {
  const Timeline timeline({"A"}, {{"one", 1, 2, 0, 0, {}}, {"two", 1, 2, 1, 0, {}}, {"three", 1, 1, 2, 0, {}}});
  EXPECT_EQ(timeline.steady_state(), 1);
}

TEST(Timeline, SkipsSectionsThatNeverRun) {
  const Timeline timeline({"A"}, {{"empty", 0, 1, 0, 0, {}},
                                  {"never", 4, 0, 0, 0, {cell(0, 0, 4, 1)}},
                                  {"run", 2, 1, 4, 0, {cell(0, 0, 1, 2)}},
                                  {"none", 0, 7, 6, 0, {}}});
  EXPECT_EQ(timeline.length(), 2);
  EXPECT_EQ(timeline.section_at(0), 2);
  EXPECT_THAT(visited(timeline, 0, 2), ElementsAre(Placed{2, 0, 2, 0}));
  EXPECT_EQ(timeline.busy(0, 0, 2), 1);
}

TEST(Timeline, CountsOverlappingCellsOfAResourceOnce) {
  const Timeline timeline({"A"}, {{"run", 10, 2, 0, 0, {cell(0, 1, 5, 1), cell(0, 3, 5, 2)}}});
  EXPECT_EQ(timeline.busy(0, 0, 20), 14);
  EXPECT_EQ(timeline.busy(0, 7, 12), 2);
}

TEST(Timeline, OutsideOfTheRunThereIsNothing) {
  const Timeline timeline = small();
  EXPECT_EQ(visited(timeline, -5, 100), visited(timeline, 0, 12));
  EXPECT_TRUE(visited(timeline, 12, 50).empty());
  EXPECT_TRUE(visited(timeline, -9, 0).empty());
  EXPECT_TRUE(visited(timeline, 7, 7).empty());
  EXPECT_TRUE(visited(timeline, 9, 3).empty());
  EXPECT_EQ(timeline.busy(0, -5, 100), timeline.busy(0, 0, 12));
  EXPECT_EQ(timeline.busy(0, 9, 3), 0);
  EXPECT_EQ(timeline.section_at(-1), 0);
  EXPECT_EQ(timeline.section_at(12), 3);
}

TEST(Timeline, MayBeEmpty) {
  const Timeline timeline({"A"}, {});
  EXPECT_EQ(timeline.length(), 0);
  EXPECT_EQ(timeline.section_at(0), -1);
  EXPECT_EQ(timeline.steady_state(), -1);
  EXPECT_TRUE(visited(timeline, 0, 1).empty());
  EXPECT_EQ(timeline.busy(0, 0, 1), 0);
}

// Steps, not seconds: a query that walked the repetitions would never return.
TEST(Timeline, AnswersAboutATrillionRepetitions) {
  constexpr std::int64_t repeats = 1'000'000'000'000;
  const Timeline timeline(
      {"A", "B"}, {{"run", 10, repeats, 0, 0, {cell(0, 2, 3, 1), cell(1, 9, 1, 2)}}, {"idle", 5, repeats, 10, 0, {}}});
  EXPECT_EQ(timeline.busy(0, 0, timeline.length()), 3 * repeats);
  EXPECT_EQ(timeline.busy(0, 3, 10 * repeats - 6), 3 * repeats - 2);
  EXPECT_THAT(visited(timeline, 10 * repeats - 1, timeline.length()),
              ElementsAre(Placed{0, 10 * repeats - 1, 2, repeats - 1}));
}

struct Unrolled {
  int section, resource;
  std::int64_t begin, end;
  OperationKey operation;
  std::int64_t iteration;
};

std::vector<Unrolled> unroll(const Timeline& timeline) {
  std::vector<Unrolled> result;
  std::int64_t start = 0;
  for (std::size_t s = 0; s < timeline.sections().size(); ++s) {
    const TimelineSection& section = timeline.sections()[s];
    for (std::int64_t r = 0; r < section.repeats; ++r, start += section.length)
      for (const TimelineCell& c : section.cells)
        result.push_back({static_cast<int>(s), c.resource, start + c.begin, start + c.begin + c.length, c.operation,
                          section.first_iteration + r + c.stage});
  }
  return result;
}

Timeline random_timeline(std::mt19937& random) {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::vector<TimelineSection> sections(static_cast<std::size_t>(1 + below(4)));
  OperationKey key = 1;
  for (TimelineSection& section : sections) {
    section = {"s", below(12), below(5), 0, below(3), {}};
    for (int i = section.length > 0 ? below(10) : 0; i > 0; --i) {
      const int begin = below(static_cast<int>(section.length));
      section.cells.push_back(
          cell(below(3), begin, 1 + below(static_cast<int>(section.length) - begin), key++, below(3)));
    }
    std::stable_sort(section.cells.begin(), section.cells.end(), [](const TimelineCell& a, const TimelineCell& b) {
      return std::pair(a.begin, a.resource) < std::pair(b.begin, b.resource);
    });
  }
  return Timeline({"A", "B", "C"}, std::move(sections));
}

TEST(Timeline, AgreesWithItsUnrolledRun) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const Timeline timeline = random_timeline(random);
    const std::vector<Unrolled> all = unroll(timeline);
    for (int query = 0; query < 10; ++query) {
      const auto limit = static_cast<unsigned>(timeline.length() + 3);
      const auto begin = static_cast<std::int64_t>(random() % limit), end = static_cast<std::int64_t>(random() % limit);
      std::vector<Placed> expected;
      std::vector<std::vector<bool>> busy(3, std::vector<bool>(static_cast<std::size_t>(timeline.length())));
      for (const Unrolled& one : all) {
        if (one.begin < end && one.end > begin && begin < end)
          expected.emplace_back(one.section, one.begin, one.operation, one.iteration);
        for (std::int64_t t = std::max(begin, one.begin); t < std::min(end, one.end); ++t)
          busy[static_cast<std::size_t>(one.resource)][static_cast<std::size_t>(t)] = true;
      }
      ASSERT_EQ(visited(timeline, begin, end), expected) << "round " << round << " [" << begin << ", " << end << ")";
      for (int r = 0; r < 3; ++r) {
        const auto& row = busy[static_cast<std::size_t>(r)];
        ASSERT_EQ(timeline.busy(r, begin, end), std::count(row.begin(), row.end(), true));
      }
    }
  }
}

TEST(TimelineDeathTest, RefusesCellsThatBreakItsOrder) {
  const auto build = [](std::vector<TimelineCell> cells) { Timeline({"A"}, {{"run", 4, 1, 0, 0, std::move(cells)}}); };
  EXPECT_DEBUG_DEATH(build({cell(0, 2, 1, 1), cell(0, 1, 1, 2)}), "sorted_inside");
  EXPECT_DEBUG_DEATH(build({cell(0, 3, 2, 1)}), "sorted_inside");
  EXPECT_DEBUG_DEATH(build({cell(0, 3, 0, 1)}), "sorted_inside");
}

TEST(TimelineDeathTest, RefusesResourcesThatDoNotExist) {
#ifndef NDEBUG
  EXPECT_DEATH(Timeline({"A"}, {{"run", 4, 1, 0, 0, {cell(1, 0, 1, 1)}}}), "sorted_inside");
  EXPECT_DEATH(small().busy(2, 0, 1), "resource");
#else
  GTEST_SKIP() << "assertions are off";
#endif
}

}  // namespace
}  // namespace convscope::artifact
