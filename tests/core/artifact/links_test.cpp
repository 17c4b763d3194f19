#include "core/artifact/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convscope::artifact {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Links links() {
  return Links(
      {{7, {3, 10}, {}, 1, 1}, {9, {10, 12}, {{0, 0}, {0, 4}, {0, 8}, {1, 4}}, 3, 0}, {8, {11}, {{0, 4}}, 2, 0}});
}

TEST(Links, FindAnOperation) {
  const Links all = links();
  ASSERT_NE(all.find(9), nullptr);
  EXPECT_EQ(all.find(9)->steady_cycle, 3);
  EXPECT_EQ(all.places().size(), 3u);
}

TEST(Links, FindWhatIsAtAnAddressOrWord) {
  EXPECT_THAT(links().at_address(10), ElementsAre(7, 9));
  EXPECT_THAT(links().at_address(3), ElementsAre(7));
  EXPECT_THAT(links().at_word({0, 4}), ElementsAre(9, 8));
  EXPECT_THAT(links().at_word({1, 4}), ElementsAre(9));
}

TEST(Links, FindNothingWhereNothingIs) {
  EXPECT_EQ(links().find(1), nullptr);
  EXPECT_EQ(links().find(0), nullptr);
  EXPECT_THAT(links().at_address(4), IsEmpty());
  EXPECT_THAT(links().at_word({0, -1}), IsEmpty());
}

}  // namespace
}  // namespace convscope::artifact
