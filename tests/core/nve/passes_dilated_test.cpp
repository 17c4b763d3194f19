// Dilated kernels, as far as the image register reaches.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/passes/bind_program.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

network::Layer dilated(int kernel, int stride, network::Size dilation) {
  network::Layer layer = make_layer(kernel, kernel, stride, {19, 11}, {{0, 1}, {1}}, 2);
  layer.dilation = dilation;
  layer.in.size.height += (kernel - 1) * (dilation.height - 1);
  layer.in.size.width += (kernel - 1) * (dilation.width - 1);
  return layer;
}

TEST(Dilated, IsBitExactAtEveryLevel) {
  const network::Layer layers[] = {dilated(3, 1, {2, 2}), dilated(3, 1, {3, 3}), dilated(3, 1, {1, 4}),
                                   dilated(2, 2, {2, 2}), dilated(2, 2, {3, 5}), dilated(3, 2, {2, 3}),
                                   dilated(2, 3, {5, 2}), dilated(2, 1, {7, 1})};
  for (const network::Layer& layer : layers)
    for (const Switches& switches : {none, packing, modulo, fusion, thesis_layout, optimal}) {
      SCOPED_TRACE(testing::Message() << "kernel " << layer.kernel.height << ", stride " << layer.stride.height
                                      << ", dilation " << layer.dilation.height << "x" << layer.dilation.width);
      const auto compiled = compile(layer, switches);
      ASSERT_TRUE(compiled->mapped()) << compiled->reason();
      Diagnostics diagnostics;
      const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
      EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
    }
}

// Rows that lie two apart take two shifts: 2 + 1 + 2 * 2 cycles of the image register for a column of three weights.
TEST(Dilated, TakesAShiftForEachRowThatItLeavesOut) {
  const network::Layer layer = dilated(3, 1, {2, 2});
  const auto compiled = compile(layer, thesis_layout);
  EXPECT_EQ(compiled->metrics().bound.kind, "IREG");
  EXPECT_EQ(figure(*compiled, "initiation_interval"), figure(*compiled, "interval_bound"));
  EXPECT_LT(figure(*compiled, "mac_per_instruction"), 16.0 * 3 / 5);
}

// Columns that no output looks at are never brought in.
TEST(Dilated, BringsInOnlyColumnsThatAreRead) {
  const auto every = compile(dilated(3, 2, {2, 2}), optimal), other = compile(dilated(3, 2, {2, 1}), optimal);
  EXPECT_LT(figure(*every, "words_transferred"), 0.75 * figure(*other, "words_transferred"));
}

TEST(Dilated, IsRefusedWithTheNumbersWhereTheRegisterIsTooShort) {
  const auto tall = compile(dilated(3, 1, {4, 1}), optimal);
  EXPECT_THAT(tall->reason(), HasSubstr("3 rows high and spans 9 at a dilation of 4"));
  EXPECT_THAT(tall->reason(), HasSubstr("extension of 7 pixels hold 8"));
  const auto wide = compile(dilated(3, 1, {1, 300}), optimal);
  EXPECT_THAT(wide->reason(), HasSubstr("reaches over 601 columns, which need at least 1800 of 512 words"));
  network::Layer hostile = dilated(3, 1, {1, 1});
  hostile.dilation = {2147483647, 2147483647};
  EXPECT_THAT(compile(hostile, optimal)->reason(), HasSubstr("spans 4294967295x4294967295 pixels"));
  hostile.dilation = {0, -1};
  EXPECT_FALSE(compile(hostile, fusion)->mapped());
}

TEST(Dilated, ProgramsComeBackFromFileAndAssembly) {
  const auto compiled = compile(dilated(3, 1, {2, 3}), optimal);
  const std::string file = compiled->program_file(0);
  EXPECT_THAT(file, HasSubstr("\"dilation\""));
  Diagnostics diagnostics;
  const auto program = read_program_file(file, "p", diagnostics);
  ASSERT_TRUE(program) << diagnostics.text();
  EXPECT_EQ(program->dilation_height, 2);
  EXPECT_EQ(program->dilation_width, 3);
  const auto parsed = parse_assembly(print_assembly(*program), "a", diagnostics);
  ASSERT_TRUE(parsed) << diagnostics.text();
  EXPECT_EQ(*parsed, *program);
}

TEST(Dilated, PolyphaseProgramsKnowNone) {
  Diagnostics diagnostics;
  auto program = read_program_file(compile(dilated(3, 1, {2, 3}), optimal)->program_file(0), "p", diagnostics);
  ASSERT_TRUE(program);
  program->polyphase = true;
  EXPECT_FALSE(read_program_file(write_program_file(*program), "p", diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("vertical dilation"));
}

}  // namespace
}  // namespace convscope::nve::test
