#include "core/analysis/comparison.h"

#include <gtest/gtest.h>

#include "core/analysis/table.h"

namespace convscope::analysis {
namespace {

TEST(Comparison, RelativeToTheReference) {
  EXPECT_DOUBLE_EQ(*relative_difference(11, 10), 0.1);
  EXPECT_DOUBLE_EQ(*relative_difference(-11, -10), -0.1);
  EXPECT_EQ(relative_difference(0, 0), 0.0);
  EXPECT_FALSE(relative_difference(1, 0));
}

TEST(Comparison, WithinATolerance) {
  EXPECT_TRUE(within(10.2, 10, 0.021));
  EXPECT_FALSE(within(10.3, 10, 0.021));
  EXPECT_FALSE(within(9.7, 10, 0.021));
  EXPECT_FALSE(within(1, 0, 1000));
}

TEST(Comparison, OnlyKeysThatBothHave) {
  const auto compared = compare({{"a", 2}, {"b", 3}}, {{"b", 2}, {"c", 1}});
  ASSERT_EQ(compared.size(), 1u);
  EXPECT_EQ(compared[0].key, "b");
  EXPECT_DOUBLE_EQ(*compared[0].difference, 0.5);
}

TEST(Comparison, PixelsOnceAreInputAndOutput) {
  network::Layer layer;
  layer.in = {2, {10, 20}};
  layer.out = {3, {5, 6}};
  EXPECT_EQ(bytes_once(layer), 400 + 90);
}

TEST(Table, AlignsNumbersRightAndTextLeft) {
  EXPECT_EQ(aligned_text({{"name", "n"}, {{"a", "10"}, {"bcdef", "7"}}}), "name    n\na      10\nbcdef   7\n");
}

TEST(Table, QuotesWhatWouldBreakCsv) {
  EXPECT_EQ(comma_separated({{"a", "b"}, {{"x,y", "say \"hi\""}, {"1"}}}), "a,b\n\"x,y\",\"say \"\"hi\"\"\"\n1,\n");
}

TEST(Table, NumbersReadBackAsTheSame) {
  EXPECT_EQ(number_text(3), "3");
  EXPECT_EQ(std::stod(number_text(13.387512345678901)), 13.387512345678901);
}

}  // namespace
}  // namespace convscope::analysis
