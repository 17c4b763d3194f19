#include "core/schedule/explain/legality.h"

#include <random>

#include <gtest/gtest.h>

#include "core/schedule/verify/verify.h"

namespace convscope::schedule {
namespace {

// read -> multiply -> add, and add -> add of the next iteration; read and add share a unit.
Problem problem() {
  return {{{"port", 1}, {"multiplier", 2}},
          {{"read", {{0, 0}}}, {"multiply", {{1, 0}}}, {"add", {{0, 1}}}},
          {{0, 1, 2, 0}, {1, 2, 1, 0}, {2, 2, 2, 1}}};
}

TEST(Legality, AFreeCycleWithinTheWindowHasNoObstacle) {
  const Problem p = problem();
  EXPECT_TRUE(Legality(p).obstacles({{0, 2, 4}, 2}, 2, 4).empty());
  EXPECT_TRUE(Legality(p).obstacles({{0, unplaced, 4}, 0}, 1, 3).empty());
}

TEST(Legality, ABrokenDependenceSaysByHowMuchAndWithWhom) {
  const Problem p = problem();
  const auto early = Legality(p).obstacles({{0, 2, 4}, 0}, 1, -1);
  ASSERT_EQ(early.size(), 1U);
  EXPECT_EQ(early[0].kind, Obstacle::Kind::too_early);
  EXPECT_EQ(early[0].other, 0);
  EXPECT_EQ(early[0].cycles, 3);
  EXPECT_EQ(
      early[0].text,
      "'multiply' would issue in cycle -1, 3 cycles too early: 'multiply' must come 2 cycles or more after 'read' "
      "in cycle 0");
  const auto late = Legality(p).obstacles({{0, 2, 4}, 0}, 1, 4);
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].kind, Obstacle::Kind::too_late);
  EXPECT_EQ(late[0].other, 2);
  EXPECT_EQ(late[0].cycles, 1);
}

TEST(Legality, ATakenResourceSaysByWhom) {
  const Problem p = problem();
  const auto taken = Legality(p).obstacles({{0, 2, 4}, 2}, 2, 3);
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].kind, Obstacle::Kind::taken);
  EXPECT_EQ(taken[0].other, 0);
  EXPECT_EQ(taken[0].resource, 0);
  EXPECT_EQ(taken[0].text,
            "'add' in cycle 3 would be one of 2 that use 'port' in cycle 4 modulo 2, with 'read'; its capacity is 1");
}

TEST(Legality, OperationsWithoutACycleAreInNobodysWay) {
  const Problem p = problem();
  EXPECT_TRUE(Legality(p).obstacles({{unplaced, unplaced, unplaced}, 0}, 1, 100).empty());
  const Window window = Legality(p).window({{unplaced, unplaced, 4}, 0}, 1);
  EXPECT_FALSE(window.earliest);
  EXPECT_EQ(window.latest, 3);
  EXPECT_EQ(window.before, 1);
}

TEST(Legality, ARecurrenceOfItsOwnIsInTheWayEverywhere) {
  const Problem p = problem();
  ASSERT_EQ(Legality(p).obstacles({{0, 2, 4}, 1}, 2, 400).size(), 2U);  // itself, and the port in every cycle
  EXPECT_EQ(Legality(p).obstacles({{0, 2, 4}, 1}, 2, 400)[0].other, 2);
}

TEST(Window, AsksWhetherARowLiesWithin) {
  const Window window{3, 5, 0, 1};
  EXPECT_TRUE(window.has_row_of(14, 10));
  EXPECT_TRUE(window.has_row_of(-7, 10));
  EXPECT_FALSE(window.has_row_of(6, 10));
  EXPECT_FALSE(window.has_row_of(-8, 10));
  EXPECT_TRUE((Window{3, std::nullopt, 0, -1}).has_row_of(6, 10));
}

// Moving one operation to a cycle is legal exactly if the verifier finds nothing new about it.
TEST(Legality, AgreesWithTheVerifier) {
  std::mt19937 random(17);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  int legal = 0, illegal = 0;
  for (int round = 0; round < 3000; ++round) {
    Problem p{{{"A", 1 + below(2)}, {"B", 1}}, {}, {}};
    Schedule schedule{{}, below(6)};
    for (int i = 0; i < 4; ++i) {
      p.operations.push_back({std::string(1, static_cast<char>('a' + i)), {{below(2), below(4) - 1}}});
      schedule.cycles.push_back(below(12) - 4);
    }
    for (int i = 0; i < 3; ++i) p.dependences.push_back({0, below(4), below(4) - 1, below(3)});
    // All violations must be about operation 0 then: the others depend on nothing but it and have a unit each.
    p.resources.push_back({"own", 3});
    for (int i = 1; i < 4; ++i)
      if (below(2) == 0) p.operations[static_cast<std::size_t>(i)].uses = {{2, 0}};
    if (!overused_resources(Problem{p.resources, {p.operations.begin() + 1, p.operations.end()}, {}},
                            {{schedule.cycles.begin() + 1, schedule.cycles.end()}, schedule.initiation_interval})
             .empty())
      continue;
    const bool expected = verify(p, schedule).empty();
    ASSERT_EQ(Legality(p).obstacles(schedule, 0, schedule.cycles[0]).empty(), expected) << "round " << round;
    ++(expected ? legal : illegal);
  }
  EXPECT_GT(legal, 100);
  EXPECT_GT(illegal, 100);
}

}  // namespace
}  // namespace convscope::schedule
