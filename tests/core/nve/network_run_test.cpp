// Networks as a whole: numbers that can't overflow, pixels that stand for real numbers, data that flows.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/nve/linked_network.h"
#include "core/nve/program_tools.h"
#include "core/nve/run_network.h"
#include "core/nve/trained/fixed_layer.h"
#include "core/readers/common/graph_builder.h"
#include "core/readers/onnx/onnx.h"
#include "core/target/traceable.h"
#include "tests/core/nve/layers.h"
#include "tests/core/nve/wide_machine.h"
#include "tests/core/target/counting_cache.h"

namespace convscope::nve::test {
namespace {

using testing::HasSubstr;

RealLayer real_layer(std::size_t maps, std::size_t taps, double weight, PixelFormat in) {
  std::mt19937_64 random(maps * 1000 + taps);
  const auto number = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  RealLayer layer;
  layer.in = in;
  layer.out = {.02, 100};
  layer.sums = {-2.5, 3};
  layer.activation = [](const std::vector<double>& sums) { return sums; };
  for (std::size_t i = 0; i < maps * taps; ++i) layer.parameters.weights.push_back(weight * number());
  for (std::size_t i = 0; i < maps; ++i) layer.parameters.bias.push_back(number());
  return layer;
}

TEST(FixedLayer, KeepsEverySumWithin32Bits) {
  for (const std::size_t taps : {1, 9, 147, 4608}) {
    SCOPED_TRACE(taps);
    const RealLayer layer = real_layer(5, taps, .3, {.01, 37});
    std::string refusal;
    const auto fixed = fixed_layer(layer, 15, refusal);
    ASSERT_TRUE(fixed) << refusal;
    EXPECT_LE(fixed->bias_shift, 15);
    for (std::size_t map = 0; map < 5; ++map) {
      std::int64_t most = std::abs(std::int64_t{fixed->coefficients.bias[map]} << fixed->bias_shift);
      for (const std::int16_t weight : fixed->coefficients.weights[map]) most += 255 * std::abs(std::int64_t{weight});
      EXPECT_LT(most, std::int64_t{1} << 31);
    }
  }
}

// Sums of any pixels, through coefficients and table, are what the real ones are, to the table's step.
TEST(FixedLayer, ComputesTheRealLayer) {
  const RealLayer layer = real_layer(4, 27, .05, {.01, 37});
  std::string refusal;
  const auto fixed = fixed_layer(layer, 15, refusal);
  ASSERT_TRUE(fixed) << refusal;
  std::mt19937_64 random(3);
  for (int i = 0; i < 200; ++i) {
    const auto map = static_cast<std::size_t>(i % 4);
    double exact = layer.parameters.bias[map];
    std::int64_t sum = std::int64_t{fixed->coefficients.bias[map]} << fixed->bias_shift;
    for (std::size_t tap = 0; tap < 27; ++tap) {
      const auto pixel = static_cast<std::uint8_t>(random() >> 56);
      exact += layer.parameters.weights[map * 27 + tap] * layer.in.value(pixel);
      sum += pixel * fixed->coefficients.weights[map][tap];
    }
    const double found = layer.out.value(reference::activated(fixed->activation, static_cast<std::int32_t>(sum)));
    EXPECT_NEAR(found, std::clamp(exact, -2.0, 3.0), layer.out.scale / 2 + 3.0 / 512 + .001);
  }
}

TEST(FixedLayer, IsRefusedWithTheNumbers) {
  std::string refusal;
  EXPECT_FALSE(fixed_layer(real_layer(2, 9, .3, {.01, 200}), 0, refusal));
  EXPECT_THAT(refusal, HasSubstr("biases within 16 bits shifted by 0"));
  RealLayer cancelling = real_layer(1, 30000, 1, {1, 0});  // sums are far smaller than what they are made of
  cancelling.sums = {-1e-3, 1e-3};
  EXPECT_FALSE(fixed_layer(cancelling, 15, refusal));
  EXPECT_THAT(refusal, HasSubstr("255 * sum|w| + |b|"));
}

TEST(PixelFormats, HoldZeroExactlyAndTheEndsOfTheRange) {
  const PixelFormat format = pixel_format({-1.3, 4.1});
  EXPECT_EQ(format.value(format.pixel(0)), 0);
  EXPECT_NEAR(format.value(format.pixel(-1.3)), -1.3, format.scale);
  EXPECT_NEAR(format.value(format.pixel(4.1)), 4.1, format.scale);
  EXPECT_EQ(format.pixel(100), 255);
  EXPECT_EQ(format.pixel(-100), 0);
  EXPECT_EQ(pixel_format({0, 0}).value(7), 7);
}

std::vector<float> random_floats(std::size_t count, unsigned seed, float scale) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = scale * (static_cast<float>(random() % 2001) / 1000 - 1);
  return values;
}

/// A strided convolution, one that is linear and added to what a pool made, a fully connected layer: pads of zero
/// points other than 0, tables of two functions, data that two layers read.
network::Network small_network(float largest_bias = .5f) {
  Diagnostics diagnostics;
  readers::Report report{"small", diagnostics};
  readers::GraphBuilder builder(report);
  network::Attributes first, second, pool;
  first.set("pads", std::vector<std::int64_t>{1, 1, 1, 1});
  first.set("strides", std::vector<std::int64_t>{2, 2});
  second.set("pads", std::vector<std::int64_t>{1, 1, 1, 1});
  pool.set("kernel_shape", std::vector<std::int64_t>{2, 2});
  pool.set("strides", std::vector<std::int64_t>{2, 2});
  const int in = builder.input("in", {true, {1, 3, 36, 28}, {}});
  const int weights1 = builder.floats("w1", {8, 3, 3, 3}, random_floats(216, 1, .4f));
  const int bias1 = builder.floats("b1", {8}, random_floats(8, 2, largest_bias));
  const int weights2 = builder.floats("w2", {8, 8, 3, 3}, random_floats(576, 3, .2f));
  const int weights3 = builder.floats("w3", {8, 8, 1, 1}, random_floats(64, 4, .4f));
  const int weights4 = builder.floats("w4", {10, 8}, random_floats(80, 5, .5f));
  const int bias4 = builder.floats("b4", {10}, random_floats(10, 6, .5f));
  network::Attributes transposed;
  transposed.set("transB", std::int64_t{1});
  const int conv1 = builder.node({"Conv", "conv1", {in, weights1, bias1}, first});
  const int relu1 = builder.node({"Relu", "relu1", {conv1}});
  const int pooled = builder.node({"MaxPool", "pool", {relu1}, pool});
  const int linear = builder.node({"Conv", "linear", {pooled, weights2}, second});
  const int again = builder.node({"Conv", "again", {linear, weights2}, second});
  const int sigmoid = builder.node({"Sigmoid", "sigmoid", {again}});
  const int side = builder.node({"Conv", "side", {linear, weights3}});
  const int sum = builder.node({"Add", "sum", {sigmoid, side}});
  const int mean = builder.node({"GlobalAveragePool", "mean", {sum}});
  const int flat = builder.node({"Flatten", "flat", {mean}});
  builder.node({"Gemm", "answer", {flat, weights4, bias4}, transposed});
  network::Network network;
  network.name = "small";
  network::Graph graph = *builder.finish();
  network::infer_shapes(graph, {}, "small", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.text();
  network.layers = network::layers_of(graph);
  network.graph = std::make_shared<const network::Graph>(std::move(graph));
  return network;
}

target::CompiledLayers compile_all(const network::Network& network, const Machine& machine) {
  target::CountingCache cache;
  target::CompiledLayers layers;
  for (const network::Layer& layer : network.layers)
    layers.push_back(compile_layer(layer, machine, looped_switches(), cache, {}, network.graph));
  return layers;
}

std::vector<ChainLayer> chain_of(const network::Network& network, const target::CompiledLayers& layers) {
  std::vector<const LayerPrograms*> programs;
  for (const auto& layer : layers)
    programs.push_back(layer->mapped() ? dynamic_cast<const LayerPrograms*>(layer.get()) : nullptr);
  return nve::chain_of(network, programs);
}

TEST(NetworkRun, FlowsThroughAllLayersBitExact) {
  const network::Network network = small_network();
  const auto layers = compile_all(network, wide_machine());
  const auto chain = chain_of(network, layers);
  ASSERT_EQ(chain.size(), 5U);
  EXPECT_EQ(chain[0].functions.size(), 1U);  // Relu
  EXPECT_EQ(chain[1].functions.size(), 0U);  // linear: its pixels have a zero point
  Diagnostics diagnostics;
  const auto run = run_network(network, chain, 15, *made_up_inputs(*network.graph, 5, diagnostics), {}, diagnostics);
  ASSERT_TRUE(run) << diagnostics.text();
  EXPECT_TRUE(run->check.ran && run->check.matches) << diagnostics.text();
  EXPECT_EQ(run->on_host, 4);  // MaxPool, Add, GlobalAveragePool, Flatten
  EXPECT_GT(run->error.sqnr(), 25);
  std::int64_t outputs = 0;
  double cycles = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kernel.height == 0) continue;
    const network::Shape& out = network.layers[i].out;
    outputs += std::int64_t{out.maps} * out.size.height * out.size.width;
    cycles += figure(*layers[i], "instructions");
  }
  EXPECT_EQ(run->check.outputs, outputs);
  EXPECT_EQ(static_cast<double>(run->check.cycles), cycles);
}

// A layer whose programs are another's is found out: nothing but the right data makes the right pixels.
/// Pixels of the first strip that a program's run has given out at its end, against those of the layer.
void expect_outputs(const target::Trace& trace, const Program& program, const Layout& layout,
                    const reference::Tensor<std::uint8_t>& expected) {
  EXPECT_EQ(trace.refusal(), "");
  std::size_t position = 0;
  std::int64_t compared = 0;
  for (int block = 0; block < static_cast<int>(trace.schema().blocks.size()); ++block) {
    const artifact::StateBlock& about = trace.schema().blocks[static_cast<std::size_t>(block)];
    if (about.kind != artifact::StateKind::image || !about.output) continue;
    const int map = program.maps[position++].map;
    const auto pixels = trace.values(trace.cycles() - 1, block, 0, about.size()).numbers;
    for (std::int64_t i = 0; i < about.size(); ++i) {
      const auto at = layout.result(0, static_cast<int>(i / about.columns), static_cast<int>(i % about.columns));
      if (!at || at->height >= expected.shape.size.height) continue;
      EXPECT_EQ(pixels[static_cast<std::size_t>(i)], expected.at(map, at->height, at->width)) << about.name << " " << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

// Borders, tables, shifts and layouts as in a whole run: what comes out is what the reference makes of the same data.
TEST(NetworkRun, LayersAreTracedWithTheirWeights) {
  const network::Network network = small_network();
  const auto layers = compile_all(network, wide_machine());
  target::OptionValues options(*NveProgramTools().trace_options());
  Diagnostics diagnostics;
  ASSERT_TRUE(options.set("image", "seed:5", diagnostics));
  const auto inputs = *made_up_inputs(*network.graph, 5, diagnostics);
  const auto chain = chain_of(network, layers);
  for (const ChainLayer& layer : chain) {
    const auto& compiled = layers[static_cast<std::size_t>(layer.layer)];
    SCOPED_TRACE(network.layers[static_cast<std::size_t>(layer.layer)].name);
    const auto numbers = layer_numbers(network, layer, wide_machine().bias_shift, inputs, {}, diagnostics);
    ASSERT_TRUE(numbers) << diagnostics.text();
    std::vector<Program> programs = layer.programs->programs();
    for (Program& program : programs) {
      program.activation_shift = numbers->data.activation.shift;
      program.bias_shift = numbers->bias_shift;
    }
    reference::Tensor<std::uint8_t> outputs;
    const Layout& layout = layer.programs->layout();
    ASSERT_TRUE(run_programs(programs, layout, numbers->data, 0, {}, diagnostics, &outputs).matches);
    ASSERT_NE(target::traceable(*compiled), nullptr);
    const auto trace = target::traceable(*compiled)->trace(0, options, 1 << 20, {}, diagnostics);
    ASSERT_TRUE(trace) << diagnostics.text();
    expect_outputs(*trace, programs.front(), layout, outputs);
  }
}

TEST(NetworkRun, TellsALayerThatComputesSomethingElse) {
  struct Wrong : LayerPrograms {
    const LayerPrograms* right = nullptr;
    const Layout& layout() const override { return right->layout(); }
    std::vector<Program> programs() const override {
      std::vector<Program> programs = right->programs();
      for (Program& program : programs) program.padding_left += 1;
      return programs;
    }
  };
  const network::Network network = small_network();
  const auto layers = compile_all(network, wide_machine());
  auto chain = chain_of(network, layers);
  Wrong wrong;
  wrong.right = chain[1].programs;
  chain[1].programs = &wrong;
  Diagnostics diagnostics;
  const auto run = run_network(network, chain, 15, *made_up_inputs(*network.graph, 5, diagnostics), {}, diagnostics);
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->check.matches);
  EXPECT_THAT(diagnostics.text(), HasSubstr("but the reference gives"));
}

TEST(NetworkRun, IsLinkedWhereAllIsMappedAndWeightsAreThere) {
  const network::Network network = small_network();
  const auto layers = compile_all(network, wide_machine());
  const auto linked = link_network(network, layers, {}, 15);
  ASSERT_NE(linked, nullptr);
  Diagnostics diagnostics;
  const auto result = simulate(*linked, "seed:5", 1, 0, diagnostics);
  EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  EXPECT_THAT(diagnostics.text(), HasSubstr("5 layers on the machine, 4 operators on the host"));
  Diagnostics missing, strips;
  EXPECT_FALSE(simulate(*linked, "no such face.pgm", 1, 0, missing).ran);
  EXPECT_THAT(missing.text(), HasSubstr("no such face.pgm"));
  EXPECT_FALSE(simulate(*linked, "seed:5", 1, 2, strips).ran);
  EXPECT_THAT(strips.text(), HasSubstr("all strips"));
  auto without = layers;
  without[0] = compile(network.layers[1], looped_switches());  // a Relu: not mapped
  EXPECT_EQ(link_network(network, without, {}, 15), nullptr);
}

TEST(NetworkRun, TakesAnImageInPlaceOfMadeUpInputs) {
  const std::string file = testing::TempDir() + "nve_network_run.ppm";
  {
    std::ofstream image(file, std::ios::binary);
    image << "P6 28 36 255\n";
    for (int i = 0; i < 28 * 36 * 3; ++i) image.put(static_cast<char>(i * 7 % 256));
  }
  const network::Network network = small_network();
  const auto layers = compile_all(network, wide_machine());
  const auto linked = link_network(network, layers, {}, 15);
  ASSERT_NE(linked, nullptr);
  Diagnostics of_image, made_up;
  const auto result = simulate(*linked, file, 1, 0, of_image);
  EXPECT_TRUE(result.ran && result.matches) << of_image.text();
  EXPECT_THAT(of_image.text(), HasSubstr("5 layers on the machine"));
  simulate(*linked, "seed:5", 1, 0, made_up);
  EXPECT_NE(of_image.text(), made_up.text());  // another error of other data
  std::filesystem::remove(file);
}

// A bias of 16 bits that is far larger than what weights add to it leaves them nothing; shifted, it leaves enough.
TEST(NetworkRun, RefusesWeightsThatSumsLeaveNoBits) {
  const network::Network network = small_network(500);
  const auto layers = compile_all(network, wide_machine());
  const auto chain = chain_of(network, layers);
  Diagnostics diagnostics;
  EXPECT_FALSE(run_network(network, chain, 0, *made_up_inputs(*network.graph, 5, diagnostics), {}, diagnostics));
  EXPECT_THAT(diagnostics.text(), HasSubstr("layer 'conv1'"));
  EXPECT_THAT(diagnostics.text(), HasSubstr("shifted by 0"));
  Diagnostics none;
  EXPECT_TRUE(run_network(network, chain, 15, *made_up_inputs(*network.graph, 5, none), {}, none)) << none.text();
}

class WholeNetwork : public testing::TestWithParam<const char*> {};

// Minutes without optimization, so with CONVSCOPE_FULL=1 alone.
TEST_P(WholeNetwork, FlowsThroughAllLayersBitExact) {
  const std::string path = std::string(CONVSCOPE_MODELS) + "/" + GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no model at " << path;
  if (std::getenv("CONVSCOPE_FULL") == nullptr) GTEST_SKIP() << "takes a minute: set CONVSCOPE_FULL=1";
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  auto network = file ? readers::read_onnx(*file, path, diagnostics) : std::nullopt;
  ASSERT_TRUE(network) << diagnostics.text();
  network::set_shapes(*network, {}, diagnostics);
  const auto layers = compile_all(*network, wide_machine());
  const auto chain = chain_of(*network, layers);
  std::size_t convolutions = 0;
  for (const network::Layer& layer : network->layers) convolutions += layer.kernel.height > 0;
  EXPECT_EQ(chain.size(), convolutions);
  const auto run = run_network(*network, chain, 15, *made_up_inputs(*network->graph, 1, diagnostics), {}, diagnostics);
  ASSERT_TRUE(run) << diagnostics.text();
  EXPECT_TRUE(run->check.ran && run->check.matches) << diagnostics.text();
  std::cout << path << ": " << run->check.cycles << " cycles, " << run->error.sqnr() << " dB from floating point\n";
  EXPECT_GT(run->error.sqnr(), 15);
}

INSTANTIATE_TEST_SUITE_P(Real, WholeNetwork,
                         testing::Values("onnx-real/squeezenet-fp16-winml/SqueezeNet_fp16.onnx",
                                         "onnx-real/ultraface-rfb-320/version-RFB-320.onnx"),
                         [](const auto& tested) {
                           return std::string(tested.param).find("squeezenet") != std::string::npos ? "SqueezeNet"
                                                                                                    : "UltraFace";
                         });

}  // namespace
}  // namespace convscope::nve::test
