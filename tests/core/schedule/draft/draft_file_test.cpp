// Drafts as files: what is written reads back alike, and mistakes are named.

#include "core/schedule/draft/draft_file.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/core/schedule/small_drafts.h"

namespace convscope::schedule {
namespace {

const DraftOrigin origin{"filter_3x3.xml", "nve", "modulo", "L1", 0};

std::shared_ptr<const DraftProblem> of_two(const std::string& second = "b") {
  auto made = DraftProblem::make({{{"port", 1}}, {{"a", {{0, 0}}}, {second, {{0, 0}}}}, {{0, 1, 1}}});
  return *std::get_if<std::shared_ptr<const DraftProblem>>(&made);
}

TEST(DraftFile, RoundTripsRandomDrafts) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    const auto problem = test::random_draft_problem(1 + round % 12, random);
    if (!problem) continue;
    const Draft draft = test::random_draft(problem, random);
    const std::string text = write_draft_file(file_of(draft, origin));
    EXPECT_TRUE(is_draft_file(text));
    Diagnostics diagnostics;
    const auto read = read_draft_file(text, "mine.draft.json", diagnostics);
    ASSERT_TRUE(read) << diagnostics.text();
    EXPECT_EQ(*read, file_of(draft, origin));
    const auto again = draft_of(*read, problem, "mine.draft.json", diagnostics);
    ASSERT_TRUE(again);
    EXPECT_EQ(hash(*again), hash(draft));
    EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
  }
}

std::string file_with(const std::string& interval, const std::string& placed) {
  return R"({"format": "convscope-draft", "version": 1, "made_for": {"network": "", "target": "nve", "level": "",
    "layer": "L1", "program": 0}, "interval": )" +
         interval + R"(, "placed": [)" + placed + "]}";
}

TEST(DraftFile, OneWithoutAHashIsTakenByItsNames) {
  Diagnostics diagnostics;
  const auto read = read_draft_file(file_with("3", R"({"operation": 1, "name": "b", "cycle": -4})"), "f", diagnostics);
  ASSERT_TRUE(read) << diagnostics.text();
  const auto draft = draft_of(*read, of_two(), "f", diagnostics);
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->schedule.cycles, (std::vector<std::int64_t>{unplaced, -4}));
  EXPECT_EQ(draft->interval(), 3);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.text();
}

TEST(DraftFile, RefusesEveryMistake) {
  const std::string good = R"({"operation": 0, "name": "a", "cycle": 0})";
  const std::pair<std::string, std::string> mistakes[] = {
      {"", "a draft"},
      {"[]", "an object"},
      {"{}", "no member 'format'"},
      {"{\"format\": \"convscope-draft\"", "line"},
      {file_with("0", good), "interval"},
      {file_with("1e99", good), "interval"},
      {file_with("100001", good), "interval"},
      {file_with("2", good + "," + good), "placed twice"},
      {file_with("2", R"({"operation": -1, "name": "a", "cycle": 0})"), "operation"},
      {file_with("2", R"({"operation": 18446744073709551615, "name": "a", "cycle": 0})"), "operation"},
      {file_with("2", R"({"operation": 0, "name": "a", "cycle": 1000001})"), "cycle"},
      {file_with("2", R"({"operation": 0, "name": "a", "cycle": 0, "row": 1})"), "unknown member 'row'"},
      {file_with("2", R"({"operation": 0, "name": 7, "cycle": 0})"), "name"},
      {file_with("2", "7"), "an object"},
      {file_with("2", "[[[[[[]]]]]]"), "too deeply"},
  };
  for (const auto& [text, expected] : mistakes) {
    SCOPED_TRACE(text);
    Diagnostics diagnostics;
    EXPECT_FALSE(read_draft_file(text, "mine.draft.json", diagnostics));
    EXPECT_TRUE(diagnostics.has_errors());
    if (expected != "line") {
      EXPECT_NE(diagnostics.text().find(expected), std::string::npos) << diagnostics.text();
    }
  }
}

TEST(DraftFile, HoldsAgainstTheProblem) {
  Diagnostics diagnostics;
  const DraftFile file = file_of({of_two(), {{0, 1}, 2}}, origin);
  EXPECT_FALSE(draft_of(file, of_two("c"), "f", diagnostics));
  EXPECT_NE(diagnostics.text().find("it is called 'b' in the file; expected 'c'"), std::string::npos)
      << diagnostics.text();
  DraftFile more = file;
  more.placed.push_back({7, "z", 0});
  EXPECT_FALSE(draft_of(more, of_two(), "f", diagnostics));
  DraftFile other = file;
  other.problem_hash = 1;
  Diagnostics warned;
  EXPECT_TRUE(draft_of(other, of_two(), "f", warned));
  EXPECT_EQ(warned.count(Severity::warning), 1u);
}

}  // namespace
}  // namespace convscope::schedule
