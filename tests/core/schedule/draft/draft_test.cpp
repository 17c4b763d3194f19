// Edits of drafts: what they do, what they refuse, and that all of them can be taken back.

#include "core/schedule/draft/draft.h"

#include <random>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/core/schedule/random_problems.h"

namespace convscope::schedule {
namespace {

std::shared_ptr<const DraftProblem> prepared(Problem problem) {
  auto made = DraftProblem::make(std::move(problem));
  auto* found = std::get_if<std::shared_ptr<const DraftProblem>>(&made);
  return found == nullptr ? nullptr : *found;
}

// The README's example: read, multiply, add.
std::shared_ptr<const DraftProblem> example() {
  return prepared({{{"port", 1}, {"multiplier", 2}},
                   {{"read", {{0, 0}}}, {"multiply", {{1, 0}}}, {"add", {{0, 1}}}},
                   {{0, 1, 2}, {1, 2, 1}, {2, 2, 2, 1}}});
}

Draft at_cycles(std::vector<std::int64_t> cycles, std::int64_t interval) {
  return {example(), {std::move(cycles), interval}};
}

TEST(Draft, BeginsEmpty) {
  const Draft draft = empty_draft(example(), 2);
  EXPECT_EQ(draft.placed(), 0);
  EXPECT_FALSE(draft.complete());
  EXPECT_EQ(draft.interval(), 2);
  EXPECT_EQ(empty_draft(example(), -7).interval(), 1);
}

TEST(Draft, PlacesMovesSwapsAndRemoves) {
  const Draft empty = empty_draft(example(), 2);
  const Edited put = placed(empty, {{0, 0}, {1, 2}});
  ASSERT_TRUE(put.draft);
  EXPECT_EQ(put.draft->schedule.cycles, (std::vector<std::int64_t>{0, 2, unplaced}));
  EXPECT_EQ(moved(*put.draft, {0, 1, 2}, -5).draft->schedule.cycles, (std::vector<std::int64_t>{-5, -3, unplaced}));
  EXPECT_EQ(swapped(*put.draft, 0, 1).draft->schedule.cycles, (std::vector<std::int64_t>{2, 0, unplaced}));
  EXPECT_EQ(*removed(*put.draft, {0, 1}).draft, empty);
  EXPECT_EQ(empty.placed(), 0) << "a value: the former draft stays as it was";
}

TEST(Draft, RefusesWhatDoesNotExistOrLiesTooFar) {
  const Draft draft = at_cycles({0, 2, unplaced}, 2);
  EXPECT_EQ(placed(draft, {{3, 0}}).refused, "there is no operation 3; there are 3");
  EXPECT_EQ(placed(draft, {{-1, 0}}).refused, "there is no operation -1; there are 3");
  EXPECT_NE(placed(draft, {{0, furthest_cycle + 1}}).refused.find("'read' would stand in cycle 1000001"),
            std::string::npos);
  EXPECT_FALSE(moved(draft, {0}, INT64_MAX).refused.empty());
  EXPECT_FALSE(moved(draft, {0}, INT64_MIN).refused.empty());
  EXPECT_EQ(swapped(draft, 0, 2).refused, "'add' has no place yet");
  EXPECT_FALSE(with_interval(draft, 0).refused.empty());
  EXPECT_FALSE(with_interval(draft, longest_interval + 1).refused.empty());
}

TEST(Draft, OpensAndClosesRowsInEveryIteration) {
  const Draft draft = at_cycles({-1, 2, 5}, 2);  // rows 1, 0, 1 of iterations -1, 1, 2
  const Edited opened = with_row_inserted(draft, 1);
  ASSERT_TRUE(opened.draft);
  EXPECT_EQ(opened.draft->interval(), 3);
  EXPECT_EQ(opened.draft->schedule.cycles, (std::vector<std::int64_t>{-1, 3, 8}));
  EXPECT_EQ(*with_row_closed(*opened.draft, 1).draft, draft);
  EXPECT_EQ(with_row_closed(*opened.draft, 2).refused, "'read' stands in row 2; only an empty one can be closed");
  EXPECT_FALSE(with_row_closed(draft, 2).refused.empty());
  EXPECT_FALSE(with_row_inserted(draft, 3).refused.empty());
  EXPECT_FALSE(with_row_closed(empty_draft(example(), 1), 0).refused.empty());
}

TEST(Draft, TiesWhatHasNoSlack) {
  const auto problem = prepared(
      {{{"port", 1}}, {{"read", {{0, 0}}}, {"set", {}}, {"use", {}}}, {{0, 1, 2}, {1, 0, -2, 0, false}, {1, 2, 1}}});
  EXPECT_EQ(with_tied(*problem, {1}), (std::vector<int>{0, 1}));
  EXPECT_EQ(with_tied(*problem, {2}), (std::vector<int>{2}));
  const auto places = tied_places(*problem, 1, 7);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].cycle, 5);
  EXPECT_EQ(places[1].cycle, 7);
}

TEST(Draft, RefusesProblemsThatNobodyCanSchedule) {
  EXPECT_FALSE(prepared({}));
  EXPECT_FALSE(prepared({{}, {{"a", {}}}, {{0, 1, 1}}}));
  EXPECT_FALSE(prepared({{}, {{"a", {}}, {"b", {}}}, {{0, 1, 1}, {1, 0, 1}}}));
  EXPECT_FALSE(prepared({{{"port", 0}}, {{"a", {{0, 0}}}}, {}}));
}

TEST(Draft, HashTellsProblemsPlacesAndIntervalsApart) {
  const Draft draft = at_cycles({0, 2, 4}, 2);
  EXPECT_EQ(hash(draft), hash(at_cycles({0, 2, 4}, 2)));
  EXPECT_NE(hash(draft), hash(at_cycles({0, 2, 5}, 2)));
  EXPECT_NE(hash(draft), hash(at_cycles({0, 2, 4}, 3)));
  const Draft other{prepared({{{"port", 1}}, {{"a", {}}, {"b", {}}, {"c", {}}}, {}}), draft.schedule};
  EXPECT_NE(hash(draft), hash(other));
  EXPECT_FALSE(draft == other);
}

// One random edit, of any kind; the draft itself if it was refused.
Draft random_edit(const Draft& draft, std::mt19937_64& random) {
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  const int one = static_cast<int>(below(draft.problem->operations()));
  const int other = static_cast<int>(below(draft.problem->operations()));
  const std::int64_t kind = below(8), by = below(40) - 20;
  Edited edited;
  if (kind <= 2) edited = placed(draft, tied_places(*draft.problem, one, by));
  if (kind == 3) edited = moved(draft, with_tied(*draft.problem, {one, other}), by);
  if (kind == 4) edited = swapped(draft, one, other);
  if (kind == 5) edited = with_row_inserted(draft, below(draft.interval() + 1));
  if (kind == 6) edited = with_row_closed(draft, below(draft.interval()));
  if (kind == 7) edited = removed(draft, {one});
  return edited.draft.value_or(draft);
}

TEST(Draft, TwoHundredEditsAreUndoneAndRedoneEqualByHash) {
  std::mt19937_64 random(3);
  const auto problem = prepared(test::random_problem(test::Family::streams, 60, random));
  ASSERT_TRUE(problem);
  std::vector<Draft> drafts{empty_draft(problem, 20)};
  while (drafts.size() <= 200) {
    Draft next = random_edit(drafts.back(), random);
    if (!(next == drafts.back())) drafts.push_back(std::move(next));
  }
  std::vector<std::uint64_t> hashes;
  for (const Draft& draft : drafts) hashes.push_back(hash(draft));
  // Each value is what an undo returns to; none was touched by the edits after it.
  for (std::size_t i = drafts.size(); i-- > 0;) {
    EXPECT_EQ(hash(drafts[i]), hashes[i]);
    if (i > 0) {
      EXPECT_NE(hashes[i], hashes[i - 1]);
    }
  }
}

}  // namespace
}  // namespace convscope::schedule
