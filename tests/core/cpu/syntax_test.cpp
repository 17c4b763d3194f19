#include <gtest/gtest.h>

#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/ranges.h"
#include "core/cpu/syntax/rewrite.h"

namespace convscope::cpu {
namespace {

const Affine w = Affine::variable("w"), r = Affine::variable("r");

TEST(CpuAffine, Arithmetic) {
  const Affine form = w * 14 + r + Affine(-1);
  EXPECT_EQ(text(form), "r + 14*w - 1");
  EXPECT_EQ(form.coefficient("w"), 14);
  EXPECT_EQ(text(form + w * -14), "r - 1");
  EXPECT_EQ(text(form * 0), "0");
  EXPECT_EQ(text(substitute(form, "w", w * 2 + Affine(1))), "r + 28*w + 13");
  EXPECT_EQ(substitute(form, "x", 3), form);
}

TEST(CpuAffine, RangesOfConditions) {
  const Ranges ranges{{"w", {0, 1}}, {"r", {0, 13}}};
  EXPECT_TRUE(always({w * 14 + r, false, 0, 'W'}, ranges));
  EXPECT_FALSE(always({w * 14 + r + Affine(-1), false, 0, 'W'}, ranges));
  EXPECT_FALSE(never({w * 14 + r + Affine(-1), false, 0, 'W'}, ranges));
  EXPECT_TRUE(never({w * 14 + r, true, 0, 'W'}, ranges));
  EXPECT_FALSE(always({Affine::variable("unknown"), false, 0, 'W'}, ranges));
}

TEST(CpuAddress, OfABlockedDimension) {
  const Tensor kernel{"kernel", *parse_layout("[M/16]YXC[16]"), {{{'M', 64}, {'Y', 1}, {'X', 1}, {'C', 5}}}, false};
  const auto at = [&](const Affine& m) {
    return text(address(kernel, {"kernel", {{'M', m}, {'Y', 0}, {'X', 0}, {'C', Affine::variable("c")}}, {}, {}}));
  };
  EXPECT_EQ(at(16), "16*c + 80") << "a block has 5 channels of 16 kernels";
  EXPECT_EQ(at(w * 32 + Affine(19)), "16*c + 160*w + 83");
}

TEST(CpuRewrite, WritesNumbersIntoNames) {
  const NodePtr sum = substitute(fma("sum_$r_$v", "k_$v", "a_$r"), "r", 3, true);
  EXPECT_EQ(label(*sum), "fma sum_3_$v += k_$v * a_3");
}

TEST(CpuRewrite, FingerprintsTellTreesApart) {
  const auto body = [](int lane) { return block({fma_lane("a", "b", "c", lane)}); };
  EXPECT_EQ(fingerprint(*body(1)), fingerprint(*body(1)));
  EXPECT_NE(fingerprint(*body(1)), fingerprint(*body(2)));
  EXPECT_NE(fingerprint(*loop("c", 4, {body(1)})), fingerprint(*loop("c", 5, {body(1)})));
}

TEST(CpuRewrite, NodesAreNumberedDepthFirst) {
  const NodePtr tree = numbered(block({loop("c", 4, {fma("a", "b", "c")}), fma("d", "e", "f")}));
  EXPECT_EQ(tree->id, 0);
  EXPECT_EQ(tree->children[0]->children[0]->id, 2);
  EXPECT_EQ(tree->children[1]->id, 3);
}

}  // namespace
}  // namespace convscope::cpu
