// Layouts: pixels moved so that programs take layers that they couldn't, or fill their lanes; results stay the same.

#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/nve/architecture/program.h"
#include "core/nve/check_program.h"
#include "tests/core/nve/layers.h"
#include "tests/core/nve/wide_machine.h"
#include "tests/made/sanitized.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

network::Layer dense_kernel(network::Size kernel, network::Size stride, network::Size dilation, network::Size out,
                            int inputs, int maps) {
  network::Layer layer = make_layer(kernel.height, kernel.width, 1, out, {{0}}, inputs);
  layer.inputs.clear();
  layer.dense = true;
  layer.out.maps = maps;
  layer.stride = stride;
  layer.dilation = dilation;
  layer.in.size = {(out.height - 1) * stride.height + (kernel.height - 1) * dilation.height + 1,
                   (out.width - 1) * stride.width + (kernel.width - 1) * dilation.width + 1};
  return layer;
}

/// The same output of an input that is padded all around.
network::Layer padded(network::Layer layer, int rows, int columns) {
  layer.padding = {rows, columns, rows, columns};
  layer.in.size.height -= 2 * rows;
  layer.in.size.width -= 2 * columns;
  return layer;
}

void expect_bit_exact(const network::Layer& layer, const char* explained, const Machine& machine = wide_machine()) {
  const auto compiled = compile(layer, looped_switches(), machine);
  ASSERT_TRUE(compiled->mapped()) << compiled->reason();
  EXPECT_THAT(compiled->explanation()->summary, HasSubstr(explained));
  Diagnostics diagnostics;
  const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
  EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  EXPECT_EQ(counted(result, "cycles"), compiled->metrics().cycles.value);
  EXPECT_EQ(counted(result, "outputs"), layer.out.maps * layer.out.size.height * layer.out.size.width);
}

TEST(Layouts, FlatMapsFillTheLanes) {
  const network::Layer layer = dense_kernel({1, 1}, {1, 1}, {1, 1}, {7, 7}, 96, 32);
  expect_bit_exact(layer, "Maps lie flat, 16 pixels in sequence a column.");
  const auto compiled = compile(layer, looped_switches(), wide_machine());
  EXPECT_GT(figure(*compiled, "effective_mac_per_instruction"), 10);  // 7 of 16 rows as they are
}

TEST(Layouts, FlatMapsTakeStridesAndPadding) {
  expect_bit_exact(dense_kernel({1, 1}, {2, 2}, {1, 1}, {9, 5}, 20, 12), "flat");
  expect_bit_exact(padded(dense_kernel({1, 1}, {3, 1}, {1, 1}, {6, 8}, 20, 12), 1, 2), "flat");
  network::Layer grouped = dense_kernel({1, 1}, {1, 1}, {1, 1}, {5, 9}, 24, 12);
  grouped.groups = 3;
  expect_bit_exact(grouped, "flat");
}

TEST(Layouts, MapsThatFillTheirStripsStayAsTheyAre) {
  EXPECT_TRUE(layouts_for(dense_kernel({1, 1}, {1, 1}, {1, 1}, {32, 9}, 20, 8), looped_switches(), wide_machine())
                  .front()
                  .plain());
  EXPECT_TRUE(layouts_for(dense_kernel({1, 1}, {1, 1}, {1, 1}, {7, 7}, 20, 8), optimal, Machine{}).front().plain());
}

TEST(Layouts, FullyConnectedLayersAreKernelsOfOnePixel) {
  network::Layer layer = dense_kernel({1, 1}, {1, 1}, {1, 1}, {1, 1}, 800, 100);
  layer.operator_name = "Gemm";
  expect_bit_exact(layer, "");
  EXPECT_THAT(compile(layer, optimal, Machine{})->reason(), HasSubstr("NVE computes convolutions only, not Gemm"));
}

TEST(Layouts, ImagesOfABatchShareCoefficients) {
  network::Layer layer = dense_kernel({1, 1}, {1, 1}, {1, 1}, {1, 1}, 800, 100);
  layer.operator_name = "Gemm";
  const auto compiled = compile(layer, looped_switches(), wide_machine());
  const auto one = compiled->metrics(), batch = compile(layer, looped_switches(), wide_machine())->metrics();
  const auto sixteen = compiled->batch(16), seventeen = compiled->batch(17);
  EXPECT_NEAR(sixteen.cycles.value, one.cycles.value, .1 * one.cycles.value);
  EXPECT_GT(seventeen.cycles.value, 1.7 * one.cycles.value);
  EXPECT_EQ(sixteen.macs, 16 * one.macs);
  EXPECT_EQ(sixteen.weights, artifact::BatchFigures::Weights::kept);
  EXPECT_NEAR(sixteen.bytes_saved, 15 * one.bytes_weights, .1 * static_cast<double>(one.bytes_weights));
  EXPECT_EQ(batch.cycles.value, one.cycles.value);
}

TEST(Layouts, DilatedRowsAreSortedByPhase) {
  expect_bit_exact(padded(dense_kernel({3, 3}, {1, 1}, {5, 5}, {30, 7}, 6, 8), 5, 5), "5 phases of the dilation");
  expect_bit_exact(dense_kernel({3, 2}, {2, 1}, {6, 4}, {13, 5}, 5, 7), "3 phases of the dilation");
  expect_bit_exact(dense_kernel({4, 1}, {4, 1}, {4, 1}, {5, 6}, 5, 7), "");
  expect_bit_exact(dense_kernel({3, 3}, {1, 1}, {9, 1}, {4, 6}, 5, 7), "4 phases of the dilation");
}

TEST(Layouts, TallKernelsAreCutIntoBlocks) {
  expect_bit_exact(padded(dense_kernel({11, 11}, {1, 1}, {1, 1}, {18, 5}, 4, 8), 5, 5), "2 blocks of 6 rows");
  expect_bit_exact(dense_kernel({19, 2}, {1, 1}, {1, 1}, {9, 4}, 3, 5), "3 blocks of 7 rows");
  expect_bit_exact(dense_kernel({10, 3}, {1, 1}, {12, 2}, {14, 4}, 3, 5), "2 blocks of 5 rows");
  network::Layer depthwise = dense_kernel({9, 3}, {1, 1}, {1, 1}, {20, 6}, 4, 4);
  depthwise.groups = 4;
  expect_bit_exact(depthwise, "2 blocks of 5 rows");
}

TEST(Layouts, TablesOfConnectionsAreCutAsWell) {
  network::Layer layer = make_layer(9, 2, 1, {17, 5}, {{0, 2}, {1}, {2, 1, 0}}, 3);
  expect_bit_exact(layer, "2 blocks of 5 rows");
}

TEST(Layouts, SizesThatNoProgramTellsAreLeftAlone) {
  network::Layer layer = dense_kernel({1, 1}, {1, 1}, {1, 1}, {3, 3}, 4, 4);
  layer.out.size = {1 << 26, 3};
  EXPECT_TRUE(layouts_for(layer, looped_switches(), wide_machine()).front().plain());
  EXPECT_FALSE(compile(layer, looped_switches(), wide_machine())->mapped());
}

TEST(Layouts, SumsThatCouldOverflowAreRefusedWithTheNumbers) {
  const network::Layer layer = dense_kernel({3, 3}, {1, 1}, {1, 1}, {4, 4}, 4096, 4);
  EXPECT_THAT(compile(layer, looped_switches(), wide_machine())->reason(),
              HasSubstr("sums of 36864 products of pixels and weights of 9 bits could pass 32 bits; at most 32768"));
}

network::Layer random_moved_layer(std::mt19937_64& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const bool pointwise = between(0, 2) == 0;
  const network::Size kernel = pointwise ? network::Size{1, 1} : network::Size{between(1, 12), between(1, 4)};
  const network::Size out{between(1, 20), between(1, 7)};
  network::Layer layer = dense_kernel(kernel, {between(1, 3), between(1, 3)}, {between(1, 6), between(1, 3)}, out,
                                      between(1, 6), between(1, 6));
  if (between(0, 2) == 0) {
    layer.groups = between(1, 3);
    layer.in.maps *= layer.groups;
    layer.out.maps *= layer.groups;
  }
  const int rows = std::min(between(0, 4), (layer.in.size.height - 1) / 2);
  return padded(std::move(layer), rows, std::min(between(0, 2), (layer.in.size.width - 1) / 2));
}

TEST(Layouts, RandomLayersOnRandomMachines) {
  std::mt19937_64 random(31);
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  const int layers = full ? 500 : convscope::test::sanitized ? 8 : 40;
  int moved = 0;
  for (int i = 0; i < layers; ++i) {
    const network::Layer layer = random_moved_layer(random);
    const Machine machine = random_wide_machine(random);
    SCOPED_TRACE(testing::Message() << "layer " << i);
    const auto compiled = compile(layer, looped_switches(), machine);
    EXPECT_EQ(compiled->reason().find("verifier"), std::string::npos) << compiled->reason();
    if (!compiled->mapped()) continue;
    moved += layouts_for(layer, looped_switches(), machine).front().plain() ? 0 : 1;
    Diagnostics diagnostics;
    const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
    EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
    EXPECT_EQ(counted(result, "cycles"), figure(*compiled, "instructions"));
  }
  EXPECT_GT(moved, layers / 10);
}

}  // namespace
}  // namespace convscope::nve::test
