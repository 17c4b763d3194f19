// What drafts break, where their operations may go: equal to the verifier, which knows nothing of drafts.

#include "core/schedule/draft/draft_rules.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/schedule/verify/verify.h"
#include "tests/core/schedule/small_drafts.h"

namespace convscope::schedule {
namespace {

// The placed operations alone, as a whole schedule.
std::vector<Violation> verified(const Draft& draft) {
  Problem problem{draft.problem->problem().resources, {}, {}};
  std::vector<int> position(draft.schedule.cycles.size(), -1);
  Schedule schedule{{}, draft.interval()};
  for (int i = 0; i < draft.problem->operations(); ++i) {
    if (!draft.is_placed(i)) continue;
    position[static_cast<std::size_t>(i)] = static_cast<int>(problem.operations.size());
    problem.operations.push_back(draft.problem->problem().operations[static_cast<std::size_t>(i)]);
    schedule.cycles.push_back(draft.cycle(i));
  }
  for (Dependence d : draft.problem->problem().dependences) {
    d.from = position[static_cast<std::size_t>(d.from)], d.to = position[static_cast<std::size_t>(d.to)];
    if (d.from >= 0 && d.to >= 0) problem.dependences.push_back(d);
  }
  return verify(problem, schedule);
}

TEST(DraftRules, AgreeWithTheVerifierOnRandomDrafts) {
  std::mt19937_64 random(5);
  int broken = 0, clean = 0;
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(round);
    const auto problem = test::random_draft_problem(1 + round % 9, random);
    if (!problem) continue;
    const Draft draft = test::random_draft(problem, random);
    const auto found = violations(draft);
    const auto expected = verified(draft);
    ASSERT_EQ(found.empty(), expected.empty())
        << (expected.empty() ? violation_text(draft, found.front()) : expected.front().text);
    found.empty() ? ++clean : ++broken;
    for (const DraftViolation& violation : found) EXPECT_FALSE(violation_text(draft, violation).empty());
  }
  EXPECT_GT(broken, 200);
  EXPECT_GT(clean, 200);
}

TEST(DraftRules, LegalSlotsAreThoseWhereNothingIsBroken) {
  std::mt19937_64 random(6);
  int legal = 0, illegal = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    const auto problem = test::random_draft_problem(2 + round % 8, random);
    if (!problem) continue;
    const Draft draft = test::random_draft(problem, random);
    const int operation = static_cast<int>(random() % static_cast<unsigned>(problem->operations()));
    const auto carried = tied_places(*problem, operation, 0);
    const LegalSlots slots(draft, carried);
    for (std::int64_t shift = -12; shift <= 12; ++shift) {
      std::vector<Place> places = carried;
      for (Place& place : places) place.cycle += shift;
      const auto found = violations(*placed(draft, places).draft);
      bool hurts = false;
      for (const Place& place : places)
        for (const DraftViolation& violation : found) hurts = hurts || violation.operation == place.operation;
      ASSERT_EQ(slots.is_legal(shift), !hurts) << shift;
      hurts ? ++illegal : ++legal;
    }
  }
  EXPECT_GT(legal, 2000);
  EXPECT_GT(illegal, 2000);
}

std::shared_ptr<const DraftProblem> read_and_add() {
  auto made = DraftProblem::make(
      {{{"port", 1}}, {{"read", {{0, 0}}}, {"add", {{0, 1}}}}, {{0, 1, 3}, {1, 0, -5, 0, false}, {1, 1, 2, 1}}});
  return *std::get_if<std::shared_ptr<const DraftProblem>>(&made);
}

TEST(DraftRules, SayWhatWouldDo) {
  const Draft draft{read_and_add(), {{0, 1}, 2}};
  const auto found = violations(draft);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(violation_text(draft, found[0]),
            "'read' in cycle 0 is too late: it must be 3 cycles or more before 'add' in cycle 1. Cycle -2 or earlier "
            "would do.");
  EXPECT_EQ(violation_text(draft, found[1]),
            "'read' in cycle 0: 'port' is used 2 times in row 0, also by 'add'; it has 1. Move one of them to another "
            "row.");
  EXPECT_EQ(violation_text(draft, found[2]),
            "'add' in cycle 1 is too early: it must be 3 cycles or more after 'read' in cycle 0. Cycle 3 or later "
            "would do.");
  const Draft late{read_and_add(), {{0, 8}, 1}};
  EXPECT_EQ(violation_text(late, violations(late)[0]),
            "'read' in cycle 0 is too early: it must be at most 5 cycles before 'add' in cycle 8. Cycle 3 or later "
            "would do.");
  EXPECT_EQ(violation_text(late, violations(late).back()),
            "'add' in cycle 8: 'port' is used 2 times in row 0, also by 'read'; it has 1. Move one of them to another "
            "row.");
}

TEST(DraftRules, SlackSaysHowFarAnOperationMayGo) {
  const Draft draft{read_and_add(), {{0, 4}, 4}};
  EXPECT_EQ(slack(draft, 1).earlier, -1);
  EXPECT_EQ(slack(draft, 1).later, 1);
  EXPECT_FALSE(slack({read_and_add(), {{0, unplaced}, 4}}, 0).later);
}

TEST(DraftRules, FiguresFollow) {
  const DraftFigures all = figures({read_and_add(), {{0, 4}, 2}});
  EXPECT_EQ(all.placed, 2);
  EXPECT_EQ(all.bound, 2);
  EXPECT_EQ(all.length, 5);
  EXPECT_EQ(all.stages, 3);
  EXPECT_EQ(figures(empty_draft(read_and_add(), 2)).stages, 0);
}

}  // namespace
}  // namespace convscope::schedule
