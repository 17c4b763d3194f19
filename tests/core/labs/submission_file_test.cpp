#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/labs/submission.h"

namespace convscope::labs {
namespace {

using testing::HasSubstr;

std::optional<Submission> submission_from(const std::string& inner, Diagnostics& diagnostics) {
  return read_submission("<submission lab=\"a\" by=\"Ada\">" + inner + "</submission>", "s.xml", diagnostics);
}

TEST(SubmissionFile, ReadsBackWhatIsWritten) {
  Submission submission{.lab = "a",
                        .hash = "12ab",
                        .by = "Ada & Bo",
                        .level = "modulo",
                        .parameters = {{"lanes", "8"}},
                        .answers = {{"q", "13.7"}, {"c", "x < y"}},
                        .programs = {{"p", "line 1\n  line ]]> 2\n", 0}},
                        .tilings = {{"t", "KS + IS", {{"T_R", 4}, {"T_C", -1}}, 0}},
                        .hints = {{"bound", 2}}};
  Diagnostics diagnostics;
  const auto read = read_submission(write_submission(submission), "s.xml", diagnostics);
  ASSERT_TRUE(read) << diagnostics.text();
  EXPECT_EQ(*read, submission);
  EXPECT_EQ(read->opened_hints("bound"), 2);
  EXPECT_EQ(read->opened_hints("other"), 0);
}

TEST(SubmissionFile, TellsEveryMistake) {
  struct Case {
    std::string inner, message;
  };
  const std::vector<Case> cases{
      {"<answer>1</answer>", "missing or empty"},
      {"<answer question=\"q\">1</answer><answer question=\"q\">2</answer>", "given twice"},
      {"<answer question=\"q\"><b/></answer>", "holds an element"},
      {"<program name=\"p\" file=\"../../etc/passwd\"/>", "names a file"},
      {"<tiling name=\"t\" strategy=\"s\"><size name=\"x\" value=\"1e9\"/></tiling>", "no size"},
      {"<machine/><machine/>", "second machine"},
      {"<hints task=\"t\" opened=\"0\"/>", "no number of hints"},
      {"<hints task=\"t\" opened=\"99999999999\"/>", "no number of hints"},
      {"<hints opened=\"1\"/>", "missing or empty"},
      {"<hints task=\"t\" opened=\"1\"/><hints task=\"t\" opened=\"1\"/>", "given twice"},
      {"<include href=\"/etc/passwd\"/>", "unknown element"},
      {"free text", "text outside"},
      {"<answer question=\"q\"/", "s.xml:1"}};
  for (const Case& each : cases) {
    Diagnostics diagnostics;
    EXPECT_FALSE(submission_from(each.inner, diagnostics)) << each.inner;
    EXPECT_THAT(diagnostics.text(), HasSubstr(each.message));
  }
}

TEST(SubmissionFile, EntitiesStayWhatTheyAre) {
  std::string bomb = "<!DOCTYPE submission [<!ENTITY a \"aaaaaaaaaa\">";
  for (char name = 'b'; name <= 'z'; ++name) {
    bomb += std::string("<!ENTITY ") + name + " \"";
    for (int i = 0; i < 10; ++i) bomb += std::string("&") + static_cast<char>(name - 1) + ";";
    bomb += "\">";
  }
  bomb += "]><submission lab=\"a\"><answer question=\"q\">&z;</answer></submission>";
  Diagnostics diagnostics;
  const auto read = read_submission(bomb, "s.xml", diagnostics);
  ASSERT_TRUE(read) << diagnostics.text();
  EXPECT_EQ(read->answers.front().text, "&z;");
}

}  // namespace
}  // namespace convscope::labs
