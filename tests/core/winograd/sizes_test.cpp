// Memory and multiplications in the Winograd domain.

#include "core/winograd/sizes/sizes.h"

#include <gtest/gtest.h>

namespace convscope::winograd {
namespace {

TEST(SizesTest, CountsWholeTensors) {
  const ConvolutionSize size{14, 13, 256, 128, 3};
  const WinogradSize two = two_dimensional(size, 4), one = sum_of_one_dimensional(size, 4);
  EXPECT_EQ(two.kernel, 36 * 256 * 128);
  EXPECT_EQ(two.tiles, 4 * 4 * 36 * 256);
  EXPECT_EQ(two.products, 4 * 4 * 36 * 128);
  EXPECT_EQ(one.kernel, 6 * 3 * 256 * 128);
  EXPECT_EQ(one.tiles, 16 * 4 * 6 * 256);
  EXPECT_EQ(one.products, 14 * 4 * 6 * 128);
  EXPECT_EQ(one.multiplications, 14 * 4 * 3 * 6);
  EXPECT_EQ(im2col_size(size), 14 * 13 * 256 * 9);
}

}  // namespace
}  // namespace convscope::winograd
