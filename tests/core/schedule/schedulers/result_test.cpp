// Every way in which the schedulers here fail, and what they say then.

#include "core/schedule/problem/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/schedule/bounds/infeasible.h"
#include "core/schedule/schedulers/bottom_up.h"
#include "core/schedule/schedulers/modulo_wrap.h"

namespace convscope::schedule {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Failure failure_of(const Result& result) {
  EXPECT_FALSE(result);
  return result ? Failure{} : result.failure();
}

Problem chain() {
  return {{{"port", 1}}, {{"a", {{0, 0}}}, {"b", {{0, 0}}}, {"c", {{0, 0}}}}, {{0, 1, 2, 0}, {1, 2, 3, 0}}};
}

TEST(Failures, ACircleWithinAnIterationIsNamed) {
  Problem p = chain();
  p.dependences.push_back({1, 0, -1, 0});
  Budget budget;
  const Failure below = failure_of(bottom_up(p, 2, {0}, budget)), late = failure_of(as_late_as_possible(p, budget));
  EXPECT_EQ(below.kind, FailureKind::circle);
  EXPECT_EQ(late.kind, FailureKind::circle);
  EXPECT_EQ(below.message, late.message);
  EXPECT_THAT(below.message, HasSubstr("'a'"));
  EXPECT_THAT(below.message, HasSubstr("'b'"));
  EXPECT_EQ(below.message.find("'c'"), std::string::npos) << below.message;
}

TEST(Failures, ACircleThatCanBeMetNeedsNoOrder) {
  Problem p = chain();
  p.dependences.push_back({1, 0, -2, 0});  // b exactly two cycles after a
  Budget budget;
  EXPECT_FALSE(infeasible_circle(p));
  EXPECT_THAT(bottom_up(p, 2, {0}, budget).schedule().cycles, ElementsAre(-5, -3, 0));
  const Failure late = failure_of(as_late_as_possible(p, budget));
  EXPECT_EQ(late.kind, FailureKind::circle);
  EXPECT_EQ(late.message,
            "'a' and 1 more operations wait for each other within one iteration: there is no order for them");
}

TEST(Failures, AnOperationThatFitsNowhereIsNamed) {
  Problem p = chain();
  p.operations[1].uses = {{0, 1}, {0, 1}};
  Budget budget;
  for (const Failure& failure :
       {failure_of(bottom_up(p, 2, {0}, budget)), failure_of(as_late_as_possible(p, budget))}) {
    EXPECT_EQ(failure.kind, FailureKind::over_capacity);
    EXPECT_EQ(failure.operation, 1);
    EXPECT_EQ(failure.message, "'b' alone takes 2 of resource 'port' in cycle 1 after its issue; its capacity is 1");
  }
  EXPECT_TRUE(bottom_up(p, 2, {}, budget));  // not contended
}

TEST(Failures, AnOperationMayMeetItselfAtAnInterval) {
  const Problem p{{{"port", 1}}, {{"long", {{0, 0}, {0, 4}}}}, {}};
  EXPECT_FALSE(infeasible_operation(p));
  EXPECT_FALSE(infeasible_operation(p, 3));
  ASSERT_TRUE(infeasible_operation(p, 4));
  EXPECT_THAT(infeasible_operation(p, 2)->message, HasSubstr("modulo 2"));
}

TEST(Failures, AnOperationThatDoesNotLeadToTheBottomIsNamed) {
  Budget budget;
  const Failure failure = failure_of(bottom_up(chain(), 1, {0}, budget));
  EXPECT_EQ(failure.kind, FailureKind::unconnected);
  EXPECT_EQ(failure.message, "no dependences within an iteration lead from 'c' to 'b'");
}

TEST(Failures, AnIterationThatFitsNoIntervalSaysWhatIsInTheWay) {
  Problem p = chain();
  p.dependences.push_back({2, 0, 9, 1});
  Budget budget;
  const auto stay = [](std::int64_t, std::vector<std::int64_t>&) {};
  const Failure failure = failure_of(wrap(p, {0, 2, 5}, {6, 13}, stay, budget));
  EXPECT_EQ(failure.kind, FailureKind::interval_limit);
  EXPECT_THAT(failure.message, HasSubstr("no interval from 6 to 13 cycles holds the iteration; at 13, 'a'"));
  EXPECT_THAT(failure.message, HasSubstr("'c'"));
  EXPECT_EQ(wrap(p, {0, 2, 5}, {6, 14}, stay, budget).schedule().initiation_interval, 14);
}

TEST(Failures, AUsedUpBudgetSaysHowMuchItWas) {
  for (const std::int64_t steps : {0, 1, 2}) {
    Budget budget(steps), other(steps), third(steps);
    const auto stay = [](std::int64_t, std::vector<std::int64_t>&) {};
    for (const Failure& failure :
         {failure_of(bottom_up(chain(), 2, {0}, budget)), failure_of(as_late_as_possible(chain(), other)),
          failure_of(wrap(chain(), {0, 2, 5}, {1, 9}, stay, third))}) {
      EXPECT_EQ(failure.kind, FailureKind::budget);
      EXPECT_EQ(failure.message, "the budget of " + std::to_string(steps) + " steps is used up");
    }
  }
}

TEST(Failures, TheSameBudgetHasTheSameAnswer) {
  Budget large;
  ASSERT_TRUE(as_late_as_possible(chain(), large));
  Budget enough(large.taken()), less(large.taken() - 1);
  EXPECT_TRUE(as_late_as_possible(chain(), enough));
  EXPECT_FALSE(as_late_as_possible(chain(), less));
}

TEST(Failures, StoppedIsSeenAtOnce) {
  std::stop_source source;
  source.request_stop();
  Budget budget(Budget::unlimited, source.get_token());
  EXPECT_EQ(failure_of(bottom_up(chain(), 2, {0}, budget)).kind, FailureKind::stopped);
}

TEST(Failures, StoppedIsSeenWithinAThousandSteps) {
  std::stop_source source;
  Budget budget(Budget::unlimited, source.get_token());
  ASSERT_TRUE(budget.take());
  source.request_stop();
  int more = 0;
  while (budget.take()) ++more;
  EXPECT_LE(more, 1024);
  EXPECT_FALSE(budget.take());
  EXPECT_EQ(budget.failure().kind, FailureKind::stopped);
}

}  // namespace
}  // namespace convscope::schedule
