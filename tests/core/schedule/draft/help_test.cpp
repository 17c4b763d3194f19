// 'Help me': what is placed is right, and what is called impossible is.

#include "core/schedule/draft/help.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "core/schedule/draft/draft_rules.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/random_problems.h"
#include "tests/core/schedule/small_drafts.h"

namespace convscope::schedule {
namespace {

using Kind = Help::Kind;

constexpr std::int64_t looks = 60'000;

// Completes it, keeps what is placed, breaks nothing.
void expect_completion(const Draft& before, const Help& help) {
  ASSERT_TRUE(help.draft);
  const auto broken = verify(before.problem->problem(), help.draft->schedule);
  EXPECT_TRUE(broken.empty()) << broken.front().text;
  EXPECT_EQ(help.draft->interval(), before.interval());
  for (int i = 0; i < before.problem->operations(); ++i) {
    if (before.is_placed(i)) {
      EXPECT_EQ(help.draft->cycle(i), before.cycle(i));
    }
  }
}

// Without any one of the conflict there is a schedule, with all of it there is none.
void expect_conflict(const Draft& draft, const Help& help) {
  Draft only = empty_draft(draft.problem, draft.interval());
  for (const int operation : help.conflict)
    only.schedule.cycles[static_cast<std::size_t>(operation)] = draft.cycle(operation);
  EXPECT_NE(test::can_be_completed(only, looks), true) << help.text;
  if (!help.is_minimal) return;
  for (const int operation : help.conflict)
    EXPECT_NE(test::can_be_completed(*removed(only, {operation}).draft, looks), false) << help.text;
}

// As tight as can be, without the operations that break rules: what is left may still be in each other's way.
Draft mended(Draft draft) {
  draft = *with_interval(draft, draft.problem->bound()).draft;
  for (auto broken = violations(draft); !broken.empty(); broken = violations(draft))
    draft = *removed(draft, {broken.back().operation}).draft;
  return draft;
}

TEST(Help, AgreesWithExhaustiveSearchOnFiveHundredSmallDrafts) {
  std::mt19937_64 random(11);
  int drafts = 0, possible = 0, impossible = 0, given_up = 0, conflicts = 0;
  for (int round = 0; drafts < 500; ++round) {
    SCOPED_TRACE(round);
    const auto problem = test::random_draft_problem(2 + round % 5, random);
    if (!problem) continue;
    const Draft made = test::random_draft(problem, random);
    const Draft draft = round % 2 == 0 ? made : mended(made);
    const auto expected = test::can_be_completed(draft, looks);
    if (!expected) {
      ++given_up;
      continue;
    }
    ++drafts;
    Budget budget(help_steps);
    const Help help = place_rest(draft, budget);
    ASSERT_NE(help.kind, Kind::open) << help.text;
    ASSERT_EQ(help.kind == Kind::found, *expected) << help.text;
    if (help.kind == Kind::found) expect_completion(draft, help), ++possible;
    if (help.kind != Kind::found) ++impossible;
    if (help.kind == Kind::impossible && !help.conflict.empty()) expect_conflict(draft, help), ++conflicts;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(possible, 100);
  EXPECT_GT(impossible, 60);
  EXPECT_GT(conflicts, 10);
  EXPECT_LT(given_up, 100);
}

std::shared_ptr<const DraftProblem> two_reads() {
  auto made = DraftProblem::make(
      {{{"port", 1}}, {{"first", {{0, 0}}}, {"second", {{0, 0}}}, {"sum", {}}}, {{0, 2, 1}, {1, 2, 1}, {2, 0, -2}}});
  return *std::get_if<std::shared_ptr<const DraftProblem>>(&made);
}

TEST(Help, SaysWhatBinds) {
  Budget budget(help_steps);
  const Help bound = place_rest(empty_draft(two_reads(), 1), budget);
  EXPECT_EQ(bound.kind, Kind::impossible);
  EXPECT_TRUE(bound.conflict.empty());
  EXPECT_EQ(bound.text, "Proven: no schedule has an interval of 1. 'port' is used in 2 cycles of each iteration.");
  // The sum must be within two cycles of the first read, the second one before it.
  const Help held = place_rest({two_reads(), {{0, 8, unplaced}, 3}}, budget);
  EXPECT_EQ(held.kind, Kind::impossible);
  EXPECT_EQ(held.conflict, (std::vector<int>{0, 1}));
  EXPECT_NE(held.text.find("Without any one of them it can."), std::string::npos) << held.text;
  const Help broken = place_rest({two_reads(), {{0, 2, unplaced}, 2}}, budget);
  EXPECT_EQ(broken.kind, Kind::broken);
  EXPECT_NE(broken.text.find("'port' is used 2 times"), std::string::npos) << broken.text;
}

TEST(Help, ABudgetThatIsUsedUpIsNoProof) {
  std::mt19937_64 random(2);
  auto made = DraftProblem::make(test::random_problem(test::Family::crowded, 60, random));
  const auto problem = *std::get_if<std::shared_ptr<const DraftProblem>>(&made);
  Budget none(1);
  const Help help = place_rest(empty_draft(problem, problem->bound()), none);
  EXPECT_EQ(help.kind, Kind::open);
}

TEST(Help, NextBetterIsTheLargestSmallerIntervalOrTheProofThatThereIsNone) {
  std::mt19937_64 random(12);
  int better = 0, least = 0;
  for (int round = 0; better + least < 80; ++round) {
    SCOPED_TRACE(round);
    const auto problem = test::random_draft_problem(2 + round % 5, random);
    if (!problem) continue;
    Budget budget(help_steps);
    const Help start = place_rest(empty_draft(problem, 2 + round % 6), budget);
    if (start.kind != Kind::found) continue;
    const Help next = next_better(*start.draft, budget);
    ASSERT_NE(next.kind, Kind::open) << next.text;
    const std::int64_t below = next.kind == Kind::found ? next.draft->interval() : 0;
    for (std::int64_t interval = start.draft->interval() - 1; interval > below; --interval)
      EXPECT_NE(test::can_be_completed(empty_draft(problem, interval), looks), true) << interval;
    if (next.kind == Kind::found) {
      EXPECT_TRUE(verify(problem->problem(), next.draft->schedule).empty());
    }
    next.kind == Kind::found ? ++better : ++least;
  }
  EXPECT_GT(better, 10);
  EXPECT_GT(least, 5);
}

TEST(Help, NextBetterMendsABrokenDraft) {
  Budget budget(help_steps);
  const Help mended = next_better({two_reads(), {{0, 2, unplaced}, 2}}, budget);
  ASSERT_EQ(mended.kind, Kind::found) << mended.text;
  EXPECT_EQ(mended.draft->interval(), 2);
  EXPECT_TRUE(verify(two_reads()->problem(), mended.draft->schedule).empty());
  const Help larger = next_better(empty_draft(two_reads(), 1), budget);
  ASSERT_EQ(larger.kind, Kind::found) << larger.text;
  EXPECT_EQ(larger.draft->interval(), 2);
}

}  // namespace
}  // namespace convscope::schedule
