// Real networks with inputs and outputs that others computed: the reference must agree.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <span>

#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/readers/onnx/onnx.h"
#include "core/reference/executor.h"

namespace convscope::reference {
namespace {

namespace fs = std::filesystem;

std::optional<network::Network> read_model(const std::string& path, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  return file ? readers::read_onnx(*file, path, diagnostics) : std::nullopt;
}

std::optional<FloatTensor> read_tensor(const std::string& path, Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  if (!file) return std::nullopt;
  const auto constant = readers::read_onnx_tensor(*file, path, diagnostics);
  return constant ? tensor_of(*constant) : std::nullopt;
}

/// input_0.pb, input_1.pb, … or output_0.pb, …
std::vector<FloatTensor> read_tensors(const fs::path& folder, const std::string& stem, Diagnostics& diagnostics) {
  std::vector<FloatTensor> tensors;
  for (int i = 0; fs::exists(folder / (stem + std::to_string(i) + ".pb")); ++i) {
    auto tensor = read_tensor((folder / (stem + std::to_string(i) + ".pb")).string(), diagnostics);
    if (!tensor) break;
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// In order, skipping inputs that have a constant: files of IR 3 list weights among the inputs.
FloatTensors by_name(const network::Graph& graph, const std::vector<FloatTensor>& values) {
  FloatTensors inputs;
  std::size_t next = 0;
  for (const int index : graph.inputs) {
    const network::Tensor& tensor = graph.tensors[static_cast<std::size_t>(index)];
    if (!tensor.constant && next < values.size()) inputs[tensor.name] = values[next++];
  }
  return inputs;
}

/// ONNX's own tolerances for real numbers (rtol 1e-3, atol 1e-7); integers must be equal. Empty if all agree.
std::string difference(const FloatTensor& computed, const FloatTensor& expected) {
  if (computed.dimensions != expected.dimensions) return "other dimensions";
  if (computed.type != expected.type) return "another type";
  const bool real = expected.type == network::ElementType::float32 || expected.type == network::ElementType::float16;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double tolerance = real ? 1e-7 + 1e-3 * std::abs(expected.values[i]) : 0;
    if (std::abs(computed.values[i] - expected.values[i]) <= tolerance) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(computed.values[i]) + ", not " +
           std::to_string(expected.values[i]);
  }
  return {};
}

void expect_outputs(const network::Graph& graph, const FloatTensors& inputs, const std::vector<FloatTensor>& expected) {
  Diagnostics diagnostics;
  const auto outputs = execute(graph, inputs, diagnostics);
  ASSERT_TRUE(outputs.has_value()) << diagnostics.text();
  ASSERT_LE(expected.size(), graph.outputs.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& name = graph.tensors[static_cast<std::size_t>(graph.outputs[i])].name;
    EXPECT_EQ(difference(outputs->at(name), expected[i]), "") << name;
  }
}

std::vector<fs::path> data_sets() {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(CONVSCOPE_MODELS, error)) {
    if (entry.is_directory() && entry.path().filename().string().rfind("test_data_set_", 0) == 0)
      folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

fs::path model_beside(const fs::path& data_set) {
  for (const auto& entry : fs::directory_iterator(data_set.parent_path())) {
    if (entry.path().extension() == ".onnx") return entry.path();
  }
  return {};
}

void run_data_set(const fs::path& folder) {
  SCOPED_TRACE(folder.string());
  Diagnostics diagnostics;
  const auto model = read_model(model_beside(folder).string(), diagnostics);
  ASSERT_TRUE(model.has_value()) << diagnostics.text();
  const auto expected = read_tensors(folder, "output_", diagnostics);
  ASSERT_FALSE(expected.empty()) << diagnostics.text();
  expect_outputs(*model->graph, by_name(*model->graph, read_tensors(folder, "input_", diagnostics)), expected);
}

TEST(DataSets, TheReferenceAgreesWithAll) {
  const std::vector<fs::path> folders = data_sets();
  if (folders.empty()) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  int agreed = 0;
  for (const fs::path& folder : folders) {
    const auto before = ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
    run_data_set(folder);
    const auto after = ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
    agreed += before == after;
  }
  std::printf("%d of %zu data sets agree\n", agreed, folders.size());
  EXPECT_EQ(static_cast<std::size_t>(agreed), folders.size());
  EXPECT_GE(folders.size(), 81u);
}

/// The networks without weights came with outputs for inputs i / n (ONNX's generate_dummy_data).
FloatTensor ramp(const network::TensorShape& shape) {
  FloatTensor tensor;
  tensor.dimensions = shape.dimensions;
  tensor.values.resize(static_cast<std::size_t>(*shape.elements()));
  for (std::size_t i = 0; i < tensor.values.size(); ++i)
    tensor.values[i] = static_cast<double>(i) / static_cast<double>(tensor.values.size());
  round_to_type(tensor);
  return tensor;
}

class LightNetwork : public ::testing::TestWithParam<const char*> {};

TEST_P(LightNetwork, HasTheOutputsOfItsAuthors) {
  const std::string stem = std::string(CONVSCOPE_MODELS) + "/onnx-light/light_" + GetParam();
  if (!fs::exists(stem + ".onnx")) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  Diagnostics diagnostics;
  const auto model = read_model(stem + ".onnx", diagnostics);
  ASSERT_TRUE(model.has_value()) << diagnostics.text();
  const auto expected = read_tensor(stem + "_output_0.pb", diagnostics);
  ASSERT_TRUE(expected.has_value()) << diagnostics.text();
  std::vector<FloatTensor> inputs;
  for (const int index : model->graph->inputs) {
    const network::Tensor& tensor = model->graph->tensors[static_cast<std::size_t>(index)];
    if (!tensor.constant) inputs.push_back(ramp(tensor.shape));
  }
  expect_outputs(*model->graph, by_name(*model->graph, inputs), {*expected});
}

/// The one array of an .npz file (a ZIP archive that isn't compressed, with a .npy file): 32-bit floats.
std::optional<FloatTensor> read_npz(const std::string& path, std::vector<std::int64_t> dimensions,
                                    Diagnostics& diagnostics) {
  const auto file = MappedFile::open(path, diagnostics);
  if (!file) return std::nullopt;
  const std::string_view bytes = file->bytes();
  const std::size_t header = bytes.find("\x93NUMPY");
  const std::size_t first = bytes.find('\n', header);
  if (header == std::string_view::npos || first == std::string_view::npos) return std::nullopt;
  if (bytes.find("'descr': '<f4', 'fortran_order': False", header) > first) return std::nullopt;
  const auto values = std::as_bytes(std::span(bytes.substr(first + 1)));
  return tensor_of({network::ElementType::float32, std::move(dimensions), file->owner(), values, {}});
}

TEST(DataSets, DeeploysNetworkHasItsOutputs) {
  const std::string folder = std::string(CONVSCOPE_MODELS) + "/onnx-real/deeploy-MCUNet";
  if (!fs::exists(folder)) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  Diagnostics diagnostics;
  const auto model = read_model(folder + "/network.onnx", diagnostics);
  const auto input = read_npz(folder + "/inputs.npz", {1, 3, 96, 96}, diagnostics);
  const auto output = read_npz(folder + "/outputs.npz", {1, 10}, diagnostics);
  ASSERT_TRUE(model && input && output) << diagnostics.text();
  expect_outputs(*model->graph, by_name(*model->graph, {*input}), {*output});
}

INSTANTIATE_TEST_SUITE_P(DataSets, LightNetwork,
                         ::testing::Values("bvlc_alexnet", "resnet50", "shufflenet", "squeezenet"));

}  // namespace
}  // namespace convscope::reference
