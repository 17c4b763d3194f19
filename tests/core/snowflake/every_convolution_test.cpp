// Whatever a convolution's kernel, channels, stride, padding, groups and dilation, some mapping computes it.

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "compiled_layer.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/plan/candidates.h"
#include "random_layers.h"

namespace convscope::snowflake {
namespace {

LayerSpec any_convolution(Random& random) {
  LayerSpec s;
  s.kernel_height = random.of({1, 2, 3, 3, 5, 7, 9, 11});
  s.kernel_width = random.once_in(4) ? random.from(1, 11) : s.kernel_height;
  s.groups = random.of({1, 1, 1, 2, 3, 16});
  const int channels = random.of({1, 3, 5, 16, 40, 256, 512, 1000, 1024, 2048, 2100});
  s.channels = (channels + s.groups - 1) / s.groups * s.groups;
  s.outputs = s.groups * random.of({1, 2, 10, 16});
  s.raw_input = s.groups == 1 && random.once_in(5);
  s.stride_height = random.from(1, 4);
  s.stride_width = random.once_in(3) ? random.from(1, 4) : s.stride_height;
  s.dilation_height = s.dilation_width = random.of({1, 1, 1, 2, 3});
  s.padding = random.from(0, std::min(s.kernel_height, s.kernel_width) - 1);
  s.bypass = random.once_in(4);
  s.relu = random.once_in(2);
  s.height = (s.kernel_height - 1) * s.dilation_height + random.from(1, 3);
  s.width = (s.kernel_width - 1) * s.dilation_width + random.from(1, 3);
  return s;
}

TEST(EveryConvolution, HasAMappingOfThePapersKind) {
  Random random(123);
  const int layers = std::getenv("CONVSCOPE_FULL") ? 2000 : 40;
  for (int i = 0; i < layers; ++i) {
    const LayerSpec spec = any_convolution(random);
    const CompiledSingle compiled = compile_single(spec, Machine{});
    ASSERT_EQ(compiled.refused, "") << i << ": " << spec.text();
    ASSERT_EQ(run_single(compiled.program, 7), "equal") << i << ": " << spec.text();
  }
}

// Level best's candidates, each that claims to fit.
TEST(EveryConvolution, IsTheSameInEveryMapping) {
  Random random(124);
  const int layers = std::getenv("CONVSCOPE_FULL") ? 300 : 12;
  int programs = 0;
  for (int i = 0; i < layers; ++i) {
    const LayerSpec spec = any_convolution(random);
    const SingleLayer single = single_layer(spec, Machine{});
    for (const Mapping& mapping : candidates(single.layer, single.regions, Machine{})) {
      const CompiledSingle compiled = compile_single(spec, Machine{}, mapping);
      if (!compiled.refused.empty()) continue;
      ++programs;
      ASSERT_EQ(run_single(compiled.program, 7), "equal") << i << ": " << spec.text() << ' ' << mapping_name(mapping);
    }
  }
  EXPECT_GE(programs, 4 * layers);
}

TEST(EveryConvolution, MayHaveWindowsLargerThanTheMapsBuffer) {
  LayerSpec spec;
  spec.kernel_height = spec.kernel_width = spec.height = 11;
  spec.width = 12;
  spec.channels = 2048;
  spec.bypass = true;
  const CompiledSingle compiled = compile_single(spec, Machine{});
  ASSERT_EQ(compiled.refused, "");
  EXPECT_EQ(run_single(compiled.program, 7), "equal");
}

TEST(EveryConvolution, MayHaveKernelsInPartsOverBottomPadding) {
  LayerSpec spec;
  spec.height = spec.width = 5;
  spec.channels = 1024;
  spec.padding = 1;
  const CompiledSingle compiled = compile_single(spec, Machine{});
  ASSERT_EQ(compiled.refused, "");
  EXPECT_EQ(run_single(compiled.program, 7), "equal");
}

}  // namespace
}  // namespace convscope::snowflake
