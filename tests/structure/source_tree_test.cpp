// The project's own sources keep the rules of the house.

#include <algorithm>

#include <gtest/gtest.h>

#include "core/catalogue/standard.h"
#include "tests/structure/rules.h"

namespace convscope::structure {
namespace {

class SourceTreeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { tree_ = std::make_unique<SourceTree>(read_source_tree(CONVSCOPE_SOURCE_DIR)); }
  static void TearDownTestSuite() { tree_.reset(); }

  static void expect_none(const Violations& violations) {
    for (const std::string& text : violations) ADD_FAILURE() << text;
  }

  inline static std::unique_ptr<SourceTree> tree_;
};

TEST_F(SourceTreeTest, IsReadAtAll) {
  EXPECT_GT(tree_->files.size(), 40u);
  EXPECT_GE(tree_->floors.size(), 10u);
  EXPECT_EQ(tree_->floors.front(), "base");
  EXPECT_EQ(std::count(tree_->floors.begin(), tree_->floors.end(), "engine"), 1);
  EXPECT_GE(tree_->ui_floors.size(), 15u);
  EXPECT_FALSE(tree_->target_folders.empty());
  EXPECT_FALSE(tree_->files.at("core/engine/engine.h").includes.empty());
}

TEST_F(SourceTreeTest, NoIncludeUpward) {
  expect_none(includes_upward(*tree_));
}
TEST_F(SourceTreeTest, NoCircle) {
  expect_none(include_circles(*tree_));
}
TEST_F(SourceTreeTest, NoCircleOfFoldersInTheCore) {
  expect_none(folder_circles(*tree_, "core"));
}
TEST_F(SourceTreeTest, NoCircleOfFoldersInTheWindow) {
  expect_none(folder_circles(*tree_, "ui"));
}
TEST_F(SourceTreeTest, NoTargetHides) {
  expect_none(hidden_targets(*tree_));
}
TEST_F(SourceTreeTest, TargetsDoNotKnowEachOther) {
  expect_none(includes_between_targets(*tree_));
}
TEST_F(SourceTreeTest, NoQtBelowTheWindow) {
  expect_none(qt_below_the_window(*tree_));
}
TEST_F(SourceTreeTest, VerifiersShareNoCode) {
  expect_none(verifiers_that_share_code(*tree_));
}
TEST_F(SourceTreeTest, TheWindowKnowsNoTarget) {
  expect_none(targets_in_the_window(*tree_));
}
TEST_F(SourceTreeTest, ViewsDoNotKnowTheWindow) {
  expect_none(views_that_know_the_window(*tree_));
}
TEST_F(SourceTreeTest, FigureKeysStayInTheirTarget) {
  FigureKeys keys;
  for (const auto& target : catalogue::standard_targets())
    for (const auto& figure : target->figures()) keys[figure.key].insert(target->id());
  EXPECT_GT(keys.size(), 20u);
  expect_none(figure_keys_outside_targets(*tree_, keys));
}
TEST_F(SourceTreeTest, ColoursOnlyInTheTheme) {
  expect_none(literal_colours(*tree_));
}
TEST_F(SourceTreeTest, BackgroundWorkOnlyInJobs) {
  expect_none(threads_outside_jobs(*tree_));
}
TEST_F(SourceTreeTest, HeadersAreGuarded) {
  expect_none(headers_without_guard(*tree_));
}
TEST_F(SourceTreeTest, TestsAreCalledAfterWhatTheyTest) {
  expect_none(tests_named_otherwise(*tree_));
}
TEST_F(SourceTreeTest, NoFileIsTooLong) {
  expect_none(long_files(*tree_));
}

}  // namespace
}  // namespace convscope::structure
