#include "ui/panels/parameters/slider_scale.h"

#include <gtest/gtest.h>

namespace convscope::ui {
namespace {

arch::ParameterDescription range(double minimum, double maximum, double step) {
  arch::ParameterDescription description;
  description.name = "p";
  description.minimum = minimum;
  description.maximum = maximum;
  description.step = step;
  description.kind = step < 1 ? arch::ParameterKind::real : arch::ParameterKind::integer;
  return description;
}

TEST(SliderScale, GoesByStep) {
  const SliderScale scale(range(8, 40, 8));
  EXPECT_EQ(scale.last(), 4);
  EXPECT_EQ(scale.value(0), 8);
  EXPECT_EQ(scale.value(1), 16);
  EXPECT_EQ(scale.value(4), 40);
  EXPECT_EQ(scale.position(24), 2);
}

TEST(SliderScale, GoesByDoubling) {
  auto description = range(3, 64, 1);
  description.powers_of_two = true;
  const SliderScale scale(description);
  EXPECT_EQ(scale.last(), 4);
  EXPECT_EQ(scale.value(0), 4);
  EXPECT_EQ(scale.value(4), 64);
  for (int position = 0; position <= scale.last(); ++position) {
    EXPECT_EQ(scale.position(scale.value(position)), position);
  }
}

TEST(SliderScale, SpreadsAWideRangeByRatio) {
  auto description = range(1, 1e6, 1);
  const SliderScale scale(description);
  EXPECT_EQ(scale.value(0), 1);
  EXPECT_EQ(scale.value(scale.last()), 1e6);
  EXPECT_NEAR(scale.value(scale.last() / 2), 1000, 20);
}

TEST(SliderScale, EveryPositionIsAnAllowedValue) {
  for (const auto& description : {range(1, 1e6, 1), range(0, 7, 1), range(10, 500, 0.5), range(-4, 4, 2)}) {
    const SliderScale scale(description);
    for (int position = -1; position <= scale.last() + 1; ++position) {
      EXPECT_FALSE(arch::range_violation(description, scale.value(position)).has_value()) << scale.value(position);
    }
  }
}

TEST(SliderScale, BearsARangeOfOneValue) {
  const SliderScale scale(range(5, 5, 1));
  EXPECT_EQ(scale.last(), 0);
  EXPECT_EQ(scale.value(0), 5);
  EXPECT_EQ(scale.position(5), 0);
}

}  // namespace
}  // namespace convscope::ui
