#include "core/artifact/coverage.h"

#include <gtest/gtest.h>

namespace convscope::artifact {
namespace {

TEST(Coverage, IsThePartOfTheMacsThatIsMapped) {
  EXPECT_EQ(coverage_of(3, 4), 0.75);
  EXPECT_EQ(coverage_of(0, 4), 0.0);
  EXPECT_EQ(coverage_of(4, 4), 1.0);
}

TEST(Coverage, ANetworkWithoutMacsHasNone) {
  EXPECT_EQ(coverage_of(0, 0), std::nullopt);
  EXPECT_FALSE(is_partial(std::nullopt));
  EXPECT_TRUE(reaches(std::nullopt, 0));
  EXPECT_FALSE(reaches(std::nullopt, 0.01));
}

TEST(Coverage, IsPartialIfMacsAreLeftOut) {
  EXPECT_TRUE(is_partial(0.0));
  EXPECT_TRUE(is_partial(0.999));
  EXPECT_FALSE(is_partial(1.0));
}

TEST(Coverage, ReachesItsMinimumInSpiteOfRounding) {
  EXPECT_TRUE(reaches(1 - 1e-15, 1));
  EXPECT_TRUE(reaches(0.5, 0.5));
  EXPECT_FALSE(reaches(0.499, 0.5));
}

}  // namespace
}  // namespace convscope::artifact
