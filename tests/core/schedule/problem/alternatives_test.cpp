#include "core/schedule/problem/alternatives.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedule/bounds/bounds.h"
#include "core/schedule/verify/verify.h"

namespace convscope::schedule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// Two adders and a multiplier that adds as well.
Problem adders(std::vector<Operation> operations) {
  return {{{"adder", 2}, {"multiplier", 1}, {"any", 0, {0, 1}}}, std::move(operations), {}};
}

PlainProblem plain(const Problem& problem) {
  return std::get<PlainProblem>(without_choices(problem));
}

TEST(Alternatives, AHallSetBoundsTheInterval) {
  // Three that only add, three that may do either, one that only multiplies: 7 uses of 3 units.
  const Problem p = adders({{"a", {{0, 0}, {0, 0}, {0, 0}}}, {"b", {{2, 0}, {2, 0}, {2, 0}}}, {"c", {{1, 0}}}});
  int resource = -1;
  const PlainProblem found = plain(p);
  EXPECT_EQ(resource_bound(found.problem, &resource), 3);
  EXPECT_THAT(found.members[static_cast<std::size_t>(resource)], ElementsAre(0, 1));
  EXPECT_EQ(found.problem.resources[static_cast<std::size_t>(resource)].name, "adder or multiplier");
}

TEST(Alternatives, TheVerifierNamesTheSetThatIsFull) {
  const Problem p = adders({{"a", {{2, 0}}}, {"b", {{2, 0}}}, {"c", {{2, 0}}}, {"d", {{1, 0}}}});
  EXPECT_TRUE(verify(p, {{0, 0, 1, 0}, 2}).empty());
  const auto found = verify(p, {{0, 0, 0, 2}, 2});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].text, HasSubstr("resources 'adder', 'multiplier' are used 4 times in cycle 0 modulo 2"));
  EXPECT_THAT(found[0].text, HasSubstr("their capacity is 3"));
}

TEST(Alternatives, EveryUseIsGivenAResource) {
  const Problem p = adders({{"a", {{2, 0}}}, {"b", {{2, 0}}}, {"c", {{2, 0}}}, {"d", {{1, 1}}}});
  const auto chosen = chosen_resources(p, {{0, 0, 2, 2}, 2});
  ASSERT_THAT(chosen, SizeIs(4));
  EXPECT_THAT(chosen[3], ElementsAre(1));
  EXPECT_EQ(chosen[0][0] + chosen[1][0] + chosen[2][0], 1);  // the multiplier takes one of three
  EXPECT_TRUE(chosen_resources(p, {{0, 0, 0, -1}, 2}).empty());
}

TEST(Alternatives, TooManyWaysAreRefused) {
  Problem p;
  for (int i = 0; i < 40; ++i) p.resources.push_back({"r", 1});
  for (int i = 0; i < 39; ++i)
    for (int k = i + 1; k < 40; ++k) p.resources.push_back({"choice", 0, {i, k}});
  EXPECT_EQ(std::get<Failure>(without_choices(p)).kind, FailureKind::malformed);
}

// The plain problem has the same schedules: what the verifier accepts of one it accepts of the other.
TEST(Alternatives, ThePlainProblemIsEquivalent) {
  std::mt19937 random(19);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  int accepted = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    Problem p;
    for (int i = 0; i < 4; ++i) p.resources.push_back({"r", below(3)});
    for (int i = 0; i < 3; ++i) {
      p.resources.push_back({"choice", 0, {below(4), below(4)}});
      if (below(3) == 0) p.resources.back().any_of.push_back(below(4));
    }
    Schedule schedule{{}, 1 + below(4)};
    for (int i = 0; i < 6; ++i) {
      p.operations.push_back({"o", {{below(7), below(3)}, {below(7), below(3)}}});
      if (below(2) == 0) p.operations.back().uses.pop_back();
      schedule.cycles.push_back(below(9) - 4);
    }
    const bool expected = verify(p, schedule).empty();
    ASSERT_EQ(overused_resources(plain(p).problem, schedule).empty(), expected) << "round " << round;
    ASSERT_EQ(!chosen_resources(p, schedule).empty(), expected) << "round " << round;
    ++(expected ? accepted : refused);
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace convscope::schedule
