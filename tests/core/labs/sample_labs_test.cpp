// Every lab that comes with the program: its solution passes, and each wrong one fails for the reason that it states.

#include <algorithm>
#include <filesystem>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/catalogue/standard.h"
#include "core/explore/sweep/callers_thread.h"
#include "core/labs/check.h"
#include "core/labs/lab_file.h"
#include "core/labs/outcome_json.h"

namespace convscope::labs {
namespace {

namespace fs = std::filesystem;

const fs::path samples = fs::path(CONVSCOPE_SOURCE_DIR) / "samples/labs";

std::string text_of(const fs::path& file) {
  Diagnostics diagnostics;
  return read_file(file.string(), diagnostics).value_or(std::string());
}

std::vector<std::string> names_of_labs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(samples)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class SampleLab : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    lab = open_lab((samples / GetParam()).string(), *catalogue::standard(), diagnostics);
    ASSERT_TRUE(lab) << diagnostics.text();
  }
  Outcome outcome(const std::string& file) const {
    return check_file(*lab, (samples / GetParam() / "solutions" / file).string(), {executor, *cache, {}});
  }

  OpenLabPointer lab;
  mutable explore::CallersThread executor;
  std::unique_ptr<target::PassCache> cache = engine::make_memory_cache();
};

TEST_P(SampleLab, IsNamedAsItsFolderAndHasAText) {
  EXPECT_EQ(lab->lab.name, GetParam());
  EXPECT_GT(lab->text.size(), 200u);
  EXPECT_GT(lab->lab.minutes, 0);
  Diagnostics diagnostics;
  const auto again = read_lab(write_lab(lab->lab), "again.xml", diagnostics);
  EXPECT_TRUE(again && *again == lab->lab) << diagnostics.text();
}

TEST_P(SampleLab, IsPassedByItsSolution) {
  const Outcome right = outcome("right.xml");
  EXPECT_TRUE(right.passed()) << check_json(lab->lab, {{"right.xml", right}});
  EXPECT_EQ(right.points(), lab->lab.points());
  EXPECT_THAT(right.notes, testing::IsEmpty());
}

// "<!-- fails: TASK: part of the reason -->"
TEST_P(SampleLab, IsFailedByWrongOnesForTheReasonThatTheyState) {
  static const std::regex stated("<!-- fails: ([^:]+): (.+) -->");
  int wrong = 0;
  for (const auto& entry : fs::directory_iterator(samples / GetParam() / "solutions")) {
    const std::string file = entry.path().filename().string();
    if (!file.starts_with("wrong-")) continue;
    ++wrong;
    const Outcome failed = outcome(file);
    EXPECT_FALSE(failed.passed()) << file;
    const std::string text = text_of(entry.path());
    std::vector<std::string> tasks;
    for (std::sregex_iterator match(text.begin(), text.end(), stated), end; match != end; ++match) {
      tasks.push_back((*match)[1]);
      for (const TaskOutcome& task : failed.tasks)
        if (task.task == tasks.back()) {
          EXPECT_THAT(task.reasons, testing::Contains(testing::HasSubstr((*match)[2].str())))
              << file << check_json(lab->lab, {{file, failed}});
        }
    }
    EXPECT_THAT(tasks, testing::Not(testing::IsEmpty())) << file << " states no reason";
    for (const TaskOutcome& task : failed.tasks)
      if (failed.refusals.empty()) {
        EXPECT_EQ(task.passed, std::find(tasks.begin(), tasks.end(), task.task) == tasks.end())
            << file << ' ' << task.task << check_json(lab->lab, {{file, failed}});
      }
  }
  EXPECT_GE(wrong, 2);
}

INSTANTIATE_TEST_SUITE_P(All, SampleLab, testing::ValuesIn(names_of_labs()), [](const auto& lab_name) {
  std::string name = lab_name.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(SampleLabs, AreAtLeastTen) {
  EXPECT_GE(names_of_labs().size(), 10u);
}

}  // namespace
}  // namespace convscope::labs
