#include "core/artifact/task_graph.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::artifact {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TaskGraph graph(const std::vector<std::int64_t>& cycles, std::vector<TaskDependence> dependences,
                std::int64_t interval = 0) {
  TaskGraph result;
  result.resources = {"A"};
  for (std::size_t i = 0; i < cycles.size(); ++i)
    result.operations.push_back({i + 1, "op", OperationClass::other, 0, cycles[i]});
  result.dependences = std::move(dependences);
  result.initiation_interval = interval;
  return result;
}

TEST(TopologicalOrder, OfAChainIsTheChain) {
  EXPECT_THAT(topological_order(graph({-1, -1, -1}, {{2, 0, 1}, {0, 1, 1}})), ElementsAre(2, 0, 1));
}

TEST(TopologicalOrder, IgnoresDependencesAcrossIterations) {
  EXPECT_THAT(topological_order(graph({-1, -1}, {{0, 1, 1, 0}, {1, 0, 1, 1}})), ElementsAre(0, 1));
}

TEST(TopologicalOrder, PutsEachOperationAfterWhatItNeeds) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const int count = 2 + static_cast<int>(random() % 30);
    std::vector<TaskDependence> dependences;
    for (int i = 0; i < 2 * count; ++i) {
      const int a = static_cast<int>(random() % static_cast<unsigned>(count));
      const int b = static_cast<int>(random() % static_cast<unsigned>(count));
      if (a != b) dependences.push_back({std::max(a, b), std::min(a, b), 1, 0});
    }
    const auto order =
        topological_order(graph(std::vector<std::int64_t>(static_cast<std::size_t>(count), -1), dependences));
    ASSERT_EQ(order.size(), static_cast<std::size_t>(count));
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = i;
    for (const TaskDependence& dependence : dependences)
      ASSERT_LT(place[static_cast<std::size_t>(dependence.from)], place[static_cast<std::size_t>(dependence.to)]);
  }
}

TEST(TopologicalOrder, OfACircleIsEmpty) {
  EXPECT_THAT(topological_order(graph({-1, -1, -1}, {{0, 1, 1}, {1, 2, 1}, {2, 0, 0}})), IsEmpty());
  EXPECT_THAT(topological_order(graph({-1}, {{0, 0, 0}})), IsEmpty());
}

TEST(Slack, IsTheRoomToTheNearestSuccessor) {
  EXPECT_THAT(slack(graph({0, 5, 9}, {{0, 1, 2}, {0, 2, 3}})), ElementsAre(3, 4, 0));
}

TEST(Slack, CountsDependencesAcrossIterations) {
  // 1 must be read before 0 of the next iteration, 10 cycles later, overwrites it.
  EXPECT_THAT(slack(graph({0, 6, 30}, {{0, 1, 2}, {1, 0, 0, 1}}, 10)), ElementsAre(4, 4, 0));
}

TEST(Slack, IgnoresWhatMovesAlongOrIsNotScheduled) {
  EXPECT_THAT(slack(graph({0, 7}, {{0, 0, 2, 1}}, 4)), ElementsAre(7, 0));
  EXPECT_THAT(slack(graph({0, 7, -1}, {{0, 2, 2}})), ElementsAre(7, 0, 0));
  EXPECT_THAT(slack(graph({3, 7}, {{1, 0, 2, 1}})), ElementsAre(4, 0));
}

TEST(Slack, IsNegativeWhereADependenceIsBroken) {
  EXPECT_THAT(slack(graph({0, 1}, {{0, 1, 3}})), ElementsAre(-2, 0));
}

// The definition itself: an operation moves as far as its slack, and no cycle further.
TEST(Slack, IsExactlyHowFarAnOperationMoves) {
  std::mt19937 random(5);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  for (int round = 0; round < 200; ++round) {
    TaskGraph candidate = graph({below(9), below(9), below(9), below(9)}, {}, 1 + below(9));
    const auto holds = [&](const TaskDependence& d) {
      const auto& operations = candidate.operations;
      return operations[static_cast<std::size_t>(d.to)].cycle + d.iterations * candidate.initiation_interval >=
             operations[static_cast<std::size_t>(d.from)].cycle + d.distance;
    };
    for (int i = 0; i < 6; ++i) {
      const TaskDependence dependence{below(4), below(4), below(4), below(3)};
      if (holds(dependence)) candidate.dependences.push_back(dependence);
    }
    const auto room = slack(candidate);
    for (std::size_t i = 0; i < room.size(); ++i) {
      const auto limited = [&](const TaskDependence& d) { return d.from == static_cast<int>(i) && d.to != d.from; };
      if (std::none_of(candidate.dependences.begin(), candidate.dependences.end(), limited)) continue;
      const auto all_hold = [&] {
        return std::all_of(candidate.dependences.begin(), candidate.dependences.end(), holds);
      };
      candidate.operations[i].cycle += room[i];
      EXPECT_TRUE(all_hold());
      candidate.operations[i].cycle += 1;
      EXPECT_FALSE(all_hold());
      candidate.operations[i].cycle -= room[i] + 1;
    }
  }
}

}  // namespace
}  // namespace convscope::artifact
