// Layer times of a machine like Eyeriss beside the published ones.

#include <cmath>

#include <gmock/gmock.h>

#include "figures_fixture.h"

namespace convscope::figures {
namespace {

class EyerissFigures : public FiguresFixture {};

TEST_F(EyerissFigures, StandBesideThePublishedTimes) {
  for (const auto& [id, layers, whole, array] :
       {std::tuple{"eyeriss-alexnet", 5U, 115.3, 103.5}, std::tuple{"eyeriss-vgg16", 13U, 4309.5, 3755.2}}) {
    const Figure figure = make(id);
    ASSERT_EQ(figure.rows.size(), layers + 1) << id;
    for (std::size_t row = 0; row < layers; ++row) {
      const double at_work = *value(figure, row, "MACs at work");
      EXPECT_GT(at_work, 10) << id << row;
      EXPECT_LE(at_work, 168) << id << row;
      EXPECT_LE(*value(figure, row, "array ms"), *value(figure, row, "whole ms") * (1 + 1e-12)) << id << row;
      // Never below what 168 MACs take at 200 MHz, and within a factor of five of what was measured.
      EXPECT_GT(*value(figure, row, "array error"), -0.81) << id << row;
      EXPECT_LT(*value(figure, row, "array error"), 0.5) << id << row;
    }
    EXPECT_NEAR(*value(figure, layers, "published whole"), whole, 0.2) << id;
    EXPECT_NEAR(*value(figure, layers, "published array"), array, 0.2) << id;
    EXPECT_NEAR(*value(figure, layers, "array error"),
                *value(figure, layers, "array ms") / *value(figure, layers, "published array") - 1, 1e-12);
    EXPECT_THAT(figure.notes.front(), testing::HasSubstr("Nothing is fitted"));
  }
}

// Where nothing but the kernel's and the map's size decides, the array has as many MACs at work as the chip had.
TEST_F(EyerissFigures, TheArrayIsFilledAsTheChipWas) {
  const Figure figure = make("eyeriss-alexnet");
  for (const std::size_t row : {1U, 4U})
    EXPECT_NEAR(*value(figure, row, "MACs at work"), *value(figure, row, "published at work"), 3) << row;
}

}  // namespace
}  // namespace convscope::figures
