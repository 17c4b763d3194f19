#include <gtest/gtest.h>

#include "core/cpu/architecture/accuracy.h"
#include "core/cpu/architecture/family.h"
#include "core/cpu/architecture/layout.h"
#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

TEST(CpuProblem, TextIsReadBack) {
  for (const char* text : {"56x56x64 -> 64, 3x3", "27x27x96 -> 256, 5x5", "224x224x3 -> 64, 7x7, stride 2",
                           "28x14x32 -> 32, 3x1, stride 2x1, dilation 1x2, groups 32", "9x9x4 -> 8, 2x2, pad 0 0 0 0",
                           "7x7x512 -> 512, 3x3, pad 1 1 0 0, threads 2"}) {
    EXPECT_EQ(convscope::cpu::text(problem(text)), text);
  }
}

TEST(CpuProblem, SizesOfTheOutput) {
  const Problem same = problem("56x48x64 -> 32, 3x3");
  EXPECT_EQ(same.out_height(), 56);
  EXPECT_EQ(same.out_width(), 48);
  const Problem halved = problem("224x224x3 -> 64, 7x7, stride 2");
  EXPECT_EQ(halved.out_height(), 112);
  EXPECT_EQ(problem("9x9x4 -> 8, 2x2, pad 0 0 0 0").out_width(), 8);
}

TEST(CpuProblem, TapsOnPaddingDontCount) {
  EXPECT_EQ(valid_macs(problem("3x3x1 -> 1, 3x3")), 7 * 7);
  EXPECT_EQ(valid_macs(problem("3x3x4 -> 8, 3x3, groups 4")), 7 * 7 * 8);
  EXPECT_EQ(valid_macs(problem("5x5x2 -> 3, 3x3, pad 0 0 0 0")), 9 * 9 * 6);
}

TEST(CpuProblem, RefusesWhatIsNone) {
  for (const char* text :
       {"", "56x56x64", "56x56x64 -> 64", "56x56x0 -> 64, 3x3", "56x56x64 -> 64, 3x3, stride 0",
        "56x56x64 -> 64, 3x3, groups 3", "2x2x1 -> 1, 5x5, pad 0 0 0 0", "56x56x64 -> 64, 3x3, speed 2",
        "65536x65536x64 -> 1, 1x1", "9x9x1 -> 1, 3x3, pad 65537 0 0 0", "2x2x1 -> 1, 1x1, stride 7, pad 3 3 3 3",
        "9x9x1 -> 1, 3x3, pad 1 1", "9x9x1 -> 1, 3x3, pad", "9x9x1 -> 99999999999, 3x3",
        "9x9x1 -> 1, 3x3, dilation 65536", "9x9x1 -> 1, 3x3, threads 1000"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_problem(text, diagnostics)) << text;
    EXPECT_TRUE(diagnostics.has_errors()) << text;
  }
}

TEST(CpuLayout, TextIsReadBack) {
  for (const char* text : {"HWC", "CHW", "H[W/8]C[8]", "[M/16]YXC[16]"}) {
    const auto layout = parse_layout(text);
    ASSERT_TRUE(layout) << text;
    EXPECT_EQ(convscope::cpu::text(*layout), text);
  }
}

TEST(CpuLayout, RefusesWhatIsNone) {
  for (const char* text :
       {"", "HWH", "HWQ", "[M/16]YXC", "[M/16]YXC[8]", "[M/1]YXC[1]", "[M/4][Y/4]XC[4]", "[M/16", "["})
    EXPECT_FALSE(parse_layout(text)) << text;
}

TEST(CpuLayout, Strides) {
  const Extents kernel{{{'M', 40}, {'Y', 3}, {'X', 3}, {'C', 5}}};
  const Layout blocked = *parse_layout("[M/16]YXC[16]");
  EXPECT_EQ(elements(blocked, kernel), 3 * 9 * 5 * 16) << "an incomplete last block is filled up";
  EXPECT_EQ(stride(blocked, kernel, 'M'), 1);
  EXPECT_EQ(stride(blocked, kernel, 'C'), 16);
  EXPECT_EQ(stride(blocked, kernel, 'Y'), 3 * 5 * 16);
  EXPECT_EQ(block_stride(blocked, kernel), 9 * 5 * 16);
  const Layout plain = *parse_layout("YXCM");
  EXPECT_EQ(stride(plain, kernel, 'Y'), 3 * 5 * 40);
  EXPECT_EQ(stride(plain, kernel, 'M'), 1);
}

TEST(CpuPath, IsWrittenReadAndHashed) {
  const Path path{{{"family", "avx512"}, {"tile", "14x2"}}};
  EXPECT_EQ(json(path), R"({"family":"avx512","tile":"14x2"})");
  Diagnostics diagnostics;
  EXPECT_EQ(parse_path(json(path), diagnostics), path);
  EXPECT_EQ(hash(path), 17665509719915985029ULL) << "64-bit FNV-1a of the text";
  EXPECT_EQ(*path.find("tile"), "14x2");
  EXPECT_EQ(path.find("order"), nullptr);
}

TEST(CpuPath, RefusesWhatIsNone) {
  for (const char* json : {"", "[]", "{\"tile\": 4}", "{\"tile\": {}}", "{"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_path(json, diagnostics)) << json;
    EXPECT_TRUE(diagnostics.has_errors()) << json;
  }
}

TEST(CpuFamilies, AreFoundByKey) {
  for (const FamilyTraits& one : families()) {
    EXPECT_EQ(find_family(one.key), &traits(one.family));
    EXPECT_EQ(traits(one.family).family, one.family);
  }
  EXPECT_EQ(find_family("mmx"), nullptr);
}

TEST(CpuAccuracy, IsFoundAgainInTheNameOfASearch) {
  const auto found = find_accuracy("guided, " + text(Accuracy{ErrorMetric::l2, 2e-6}) + ", scratch up to 5");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->metric, ErrorMetric::l2);
  EXPECT_EQ(found->bound, 2e-6);
  EXPECT_FALSE(find_accuracy("guided"));
  EXPECT_EQ(text(Accuracy{}), "");
}

}  // namespace
}  // namespace convscope::cpu
