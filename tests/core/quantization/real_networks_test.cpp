// Trained networks in fixed point: one with inputs and answers that others computed, one that others quantized.

#include <cmath>
#include <filesystem>
#include <iostream>

#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/quantization/network_formats.h"
#include "core/quantization/own_scales.h"
#include "core/readers/onnx/onnx.h"
#include "core/readers/tflite/tflite.h"

namespace convscope::quantization {
namespace {

const std::string mnist = CONVSCOPE_MODELS "/onnx-real/mnist8-cntk";

class Mnist : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(mnist)) GTEST_SKIP() << "the folder of real networks is absent: " << mnist;
    const auto file = MappedFile::open(mnist + "/model.onnx", diagnostics);
    ASSERT_TRUE(file);
    const auto network = readers::read_onnx(*file, mnist, diagnostics);
    ASSERT_TRUE(network) << diagnostics.text();
    graph = *network->graph;
    ASSERT_TRUE(network::sort_topologically(graph));
    network::infer_shapes(graph, {}, mnist, diagnostics);
    for (const char* set : {"0", "1", "2"}) inputs.push_back(input_of(set));
  }

  reference::FloatTensors input_of(const std::string& set) {
    const std::string path = mnist + "/test_data_set_" + set + "/input_0.pb";
    const auto file = MappedFile::open(path, diagnostics);
    const auto constant = file ? readers::read_onnx_tensor(*file, path, diagnostics) : std::nullopt;
    const auto tensor = constant ? reference::tensor_of(*constant) : std::nullopt;
    EXPECT_TRUE(tensor) << diagnostics.text();
    for (const int index : graph.inputs) {
      const network::Tensor& each = graph.tensors[static_cast<std::size_t>(index)];
      if (!each.constant && tensor) return {{each.name, *tensor}};
    }
    return {};
  }

  NetworkError error_of(const FormatOptions& options) {
    const auto formats = choose_formats(graph, inputs, options, diagnostics);
    const auto error = formats ? measure_error(graph, *formats, inputs, options, diagnostics) : std::nullopt;
    EXPECT_TRUE(error) << diagnostics.text();
    return error.value_or(NetworkError{});
  }
  double sqnr(const NetworkError& error) const {
    return error.tensors.at(static_cast<std::size_t>(graph.outputs.front())).sqnr();
  }

  Diagnostics diagnostics;
  network::Graph graph;
  std::vector<reference::FloatTensors> inputs;
};

TEST_F(Mnist, ChosenByRangeKeepsAllAnswers) {
  const NetworkError sixteen = error_of({});
  EXPECT_EQ(sixteen.inputs, 3);
  EXPECT_EQ(sixteen.same_answer, 3);
  EXPECT_GT(sqnr(sixteen), 60);
  FormatOptions narrow;
  narrow.bits = 8;
  narrow.limits = {-8, 7};
  const NetworkError eight = error_of(narrow);
  EXPECT_EQ(eight.same_answer, 3);
  EXPECT_LT(sqnr(eight), sqnr(sixteen));
  std::cout << "SQNR by range: " << sqnr(sixteen) << " dB with 16 bits, " << sqnr(eight) << " dB with 8\n";
}

// Its pixels go up to 255 and its answers into the thousands: neither Q8.8 nor Q5.11 holds them.
TEST_F(Mnist, OneFormatForAllTensorsIsWorse) {
  const double chosen = sqnr(error_of({}));
  for (const int fraction : {8, 11}) {
    FormatOptions options;
    options.fraction = fraction;
    const NetworkError fixed = error_of(options);
    EXPECT_LT(sqnr(fixed), chosen - 30) << fraction;
    std::cout << "SQNR with " << Format{16, fraction}.name() << ": " << sqnr(fixed) << " dB, " << fixed.same_answer
              << " of 3 answers\n";
  }
}

/// A trained network as floats and, by its makers, as integers with scales.
class ResNet8 : public testing::Test {
 protected:
  static inline const std::string folder = CONVSCOPE_MODELS "/tflite/mlperf-tiny";

  void SetUp() override {
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "the folder of real networks is absent: " << folder;
  }

  network::Graph read(const std::string& name) {
    const std::string path = folder + "/" + name;
    const auto file = MappedFile::open(path, diagnostics);
    const auto network = file ? readers::read_tflite(*file, path, diagnostics) : std::nullopt;
    EXPECT_TRUE(network) << diagnostics.text();
    if (!network) return {};
    network::Graph graph = *network->graph;
    network::infer_shapes(graph, {}, path, diagnostics);
    return graph;
  }

  /// Probabilities for an image of waves, pixels from 0 to 255.
  std::vector<double> answer(const network::Graph& graph, int wave) {
    reference::FloatTensor image{network::ElementType::float32, {1, 3, 32, 32}, {}};
    for (int i = 0; i < 3 * 32 * 32; ++i)
      image.values.push_back(
          std::round(127.5 + 127 * std::sin(.3 * wave + .05 * wave * (i % 32) + .2 * (i / 32 % 32) + i / 1024)));
    const auto outputs = reference::execute(
        graph, {{graph.tensors[static_cast<std::size_t>(graph.inputs.at(0))].name, image}}, diagnostics);
    EXPECT_TRUE(outputs) << diagnostics.text();
    return outputs ? outputs->begin()->second.values : std::vector<double>();
  }

  Diagnostics diagnostics;
};

TEST_F(ResNet8, ComputesByTheFilesScalesNearlyWhatItDoesInFloats) {
  const network::Graph floats = read("pretrainedResnet.tflite");
  const auto scaled = with_own_scales(read("pretrainedResnet_quant.tflite"), "quantized", diagnostics);
  ASSERT_TRUE(scaled) << diagnostics.text();
  Error error;
  for (int wave = 1; wave <= 6; ++wave) {
    const std::vector<double> exact = answer(floats, wave), rounded = answer(scaled->graph, wave);
    ASSERT_EQ(exact.size(), 10U);
    EXPECT_TRUE(same_largest(exact, rounded)) << wave;
    error.add(exact, rounded);
  }
  EXPECT_GT(error.sqnr(), 15) << "only weights and biases are rounded";
}

}  // namespace
}  // namespace convscope::quantization
