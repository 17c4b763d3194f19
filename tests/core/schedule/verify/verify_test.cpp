#include "core/schedule/verify/verify.h"

#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::schedule {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// read -> multiply -> add, and add -> add of the next iteration; read and add share a unit.
Problem problem() {
  return {{{"port", 1}, {"multiplier", 2}},
          {{"read", {{0, 0}}}, {"multiply", {{1, 0}}}, {"add", {{0, 1}}}},
          {{0, 1, 2, 0}, {1, 2, 1, 0}, {2, 2, 2, 1}}};
}

TEST(Verify, AcceptsAScheduleOfOneIteration) {
  EXPECT_THAT(verify(problem(), {{0, 2, 3}, 0}), IsEmpty());
  EXPECT_THAT(verify(problem(), {{-10, 2, 3}, 0}), IsEmpty());
}

TEST(Verify, AcceptsAModuloSchedule) {
  // The port is taken by read in row 0 and by add, one cycle after its issue, in row 1.
  EXPECT_THAT(verify(problem(), {{0, 2, 4}, 2}), IsEmpty());
  EXPECT_THAT(verify(problem(), {{-2, 1, 2}, 2}), IsEmpty());
}

TEST(Verify, AcceptsNothingToDo) {
  EXPECT_THAT(verify({}, {}), IsEmpty());
}

TEST(Verify, ReportsADependenceThatIsTooShort) {
  const auto found = verify(problem(), {{0, 1, 3}, 0});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text, "'multiply' at cycle 1 must be at 2 or later: 2 cycles after 'read' at cycle 0");
  EXPECT_EQ(found[0].operation, 0);
  EXPECT_EQ(found[0].other, 1);
}

TEST(Verify, ReportsADependenceAcrossIterations) {
  const auto found = broken_dependences(problem(), {{0, 2, 3}, 1});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text,
            "'add' at cycle 3 must be at 4 or later: 2 cycles after 'add' at cycle 3 - 1 iterations * 1");
  EXPECT_THAT(broken_dependences(problem(), {{0, 2, 3}, 0}), IsEmpty());
}

TEST(Verify, ReportsAnOverusedResource) {
  const auto found = verify(problem(), {{4, 6, 3}, 0});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[1].text, "resource 'port' is used 2 times in cycle 4 by 'read', 'add'; its capacity is 1");
}

TEST(Verify, ReportsAResourceOverusedOnlyAfterWrapping) {
  EXPECT_THAT(verify(problem(), {{-1, 2, 4}, 0}), IsEmpty());
  const auto found = verify(problem(), {{-1, 2, 4}, 3});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text, "resource 'port' is used 2 times in cycle 2 modulo 3 by 'read', 'add'; its capacity is 1");
}

TEST(Verify, CountsAnOperationThatMeetsItself) {
  const Problem twice{{{"A", 1}}, {{"long", {{0, 0}, {0, 4}}}}, {}};
  EXPECT_THAT(verify(twice, {{0}, 3}), IsEmpty());
  EXPECT_THAT(verify(twice, {{0}, 4}), SizeIs(1));
  EXPECT_THAT(verify(twice, {{0}, 2}), SizeIs(1));
}

TEST(Verify, UsesEachUnitOfAResource) {
  const Problem three{{{"A", 2}}, {{"a", {{0, 0}}}, {"b", {{0, 0}}}, {"c", {{0, 0}}}}, {}};
  EXPECT_THAT(verify(three, {{0, 0, 1}, 2}), IsEmpty());
  EXPECT_THAT(verify(three, {{0, 0, 0}, 2}), SizeIs(1));
}

TEST(Verify, ReportsAWrongShape) {
  EXPECT_THAT(verify(problem(), {{0, 2}, 0})[0].text, HasSubstr("2 cycles for 3 operations"));
  EXPECT_THAT(verify(problem(), {{0, 2, 3}, -1})[0].text, HasSubstr("must not be negative"));
}

TEST(Verify, ReportsIndicesThatDoNotExist) {
  EXPECT_THAT(verify({{}, {{"a", {}}}, {{0, 1, 1, 0}}}, {{0}, 0})[0].text, HasSubstr("from operation 0 to 1"));
  EXPECT_THAT(verify({{}, {{"a", {}}}, {{-1, 0, 1, 0}}}, {{0}, 0})[0].text, HasSubstr("from operation -1"));
  EXPECT_THAT(verify({{{"A", 1}}, {{"a", {{1, 0}}}}, {}}, {{0}, 0})[0].text, HasSubstr("'a' uses resource 1"));
}

// By brute force: enough iterations laid out one interval apart, each constraint looked at where it stands.
bool holds_when_unrolled(const Problem& problem, const Schedule& schedule, int iterations) {
  std::map<std::pair<int, std::int64_t>, int> used;
  for (int i = 0; i < iterations; ++i) {
    const std::int64_t start = i * schedule.initiation_interval;
    for (const Dependence& d : problem.dependences)
      if (i + d.iterations < iterations &&
          schedule.cycles[static_cast<std::size_t>(d.to)] + start + d.iterations * schedule.initiation_interval <
              schedule.cycles[static_cast<std::size_t>(d.from)] + start + d.distance)
        return false;
    for (std::size_t o = 0; o < problem.operations.size(); ++o)
      for (const ResourceUse& use : problem.operations[o].uses)
        if (++used[{use.resource, schedule.cycles[o] + start + use.offset}] >
            problem.resources[static_cast<std::size_t>(use.resource)].capacity)
          return false;
  }
  return true;
}

TEST(Verify, AgreesWithTheUnrolledRun) {
  std::mt19937 random(11);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  int accepted = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    Problem candidate{{{"A", 1 + below(2)}, {"B", 1}}, {}, {}};
    Schedule schedule{{}, 1 + below(6)};
    for (int i = 0; i < 4; ++i) {
      candidate.operations.push_back({std::string(1, static_cast<char>('a' + i)), {{below(2), below(4) - 1}}});
      schedule.cycles.push_back(below(12) - 4);
    }
    for (int i = 0; i < 2; ++i) candidate.dependences.push_back({below(4), below(4), below(4) - 1, below(3)});
    const bool expected = holds_when_unrolled(candidate, schedule, 30);
    ASSERT_EQ(verify(candidate, schedule).empty(), expected) << "round " << round;
    ++(expected ? accepted : refused);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace convscope::schedule
