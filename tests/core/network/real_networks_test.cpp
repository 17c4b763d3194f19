// Convolutions and MACs of every ONNX file, against the table that came with the files.

#include <algorithm>
#include <cstdio>
#include <regex>

#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/readers/onnx/onnx.h"
#include "tests/core/network/index.h"

namespace convscope::network {
namespace {

bool is_onnx_model(const std::string& path) {
  return path.rfind("onnx-", 0) == 0 && std::regex_search(path, std::regex(R"(\.onnx(txt)?$)"));
}

/// "Conv:1+ConvTranspose:1" as counts by operator.
std::map<std::string, int> counts_of(const std::string& text) {
  std::map<std::string, int> counts;
  const std::regex entry(R"((\w+):(\d+))");
  for (auto at = std::sregex_iterator(text.begin(), text.end(), entry); at != std::sregex_iterator(); ++at)
    counts[(*at)[1]] = std::stoi((*at)[2]);
  return counts;
}

std::map<std::string, int> counts_of(const Network& network) {
  std::map<std::string, int> counts;
  for (const Layer& layer : network.layers) {
    if (layer.operator_name.find("Conv") != std::string::npos) ++counts[layer.operator_name];
  }
  return counts;
}

/// The batch that the file fixes for a node: the table counts all its images, layers count one.
std::int64_t stated_batch(const Graph& graph, const Node& node) {
  for (const int tensor : {node.inputs.front(), graph.inputs.front()}) {
    const TensorShape& shape = graph.tensors[static_cast<std::size_t>(tensor)].shape;
    if (!shape.dimensions.empty()) return std::max<std::int64_t>(1, shape.dimensions[0]);
  }
  return 1;
}

std::shared_ptr<const Graph> graph_as_stated(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  const auto network = file ? readers::read_onnx(*file, path, diagnostics) : std::nullopt;
  return network ? network->graph : nullptr;
}

/// Millions with three digits, as the table has them, which counts no transposed convolutions.
std::string convolution_mmacs(const Network& network, const Graph& stated) {
  std::int64_t macs = 0;
  for (const Layer& layer : network.layers) {
    if (layer.operator_name.find("Conv") != std::string::npos && layer.operator_name != "ConvTranspose")
      macs += layer.macs() * stated_batch(stated, stated.nodes[static_cast<std::size_t>(layer.node)]);
  }
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(macs) / 1e6);
  return text;
}

/// Glow's file declares the output of a convolution with auto_pad SAME_UPPER as if nothing were padded.
bool declares_a_wrong_shape(const std::string& path) {
  return path == "onnx-text-glow/simpleConvAutoPadSameUpper.onnxtxt";
}

TEST(RealNetworks, ConvolutionsAndMacsEqualTheIndex) {
  const std::vector<IndexRow> rows = read_index();
  if (rows.empty()) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  int compared = 0;
  for (const IndexRow& row : rows) {
    const std::string& path = row.at("path");
    if (!is_onnx_model(path)) continue;
    SCOPED_TRACE(path);
    Diagnostics diagnostics;
    const std::string file = std::string(CONVSCOPE_MODELS) + "/" + path;
    const auto network = load_onnx(file, {}, diagnostics);
    if (row.at("conv_MMAC_batch1").empty()) {
      EXPECT_FALSE(network.has_value()) << "the table says that this is no model";
      EXPECT_TRUE(diagnostics.has_errors());
      continue;
    }
    ASSERT_TRUE(network.has_value()) << diagnostics.text();
    EXPECT_EQ(counts_of(*network), counts_of(row.at("conv_nodes")));
    EXPECT_EQ(convolution_mmacs(*network, *graph_as_stated(file)), row.at("conv_MMAC_batch1")) << diagnostics.text();
    ++compared;
  }
  std::printf("%d ONNX files have the convolutions and MACs of the table\n", compared);
  EXPECT_GE(compared, 100);
}

/// Where every operator is known, every shape must follow from the inputs, and nothing may contradict the file.
TEST(RealNetworks, ShapesAreInferredWithoutContradictions) {
  const std::vector<IndexRow> rows = read_index();
  if (rows.empty()) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  int tensors = 0, open = 0;
  for (const IndexRow& row : rows) {
    if (!is_onnx_model(row.at("path")) || row.at("conv_MMAC_batch1").empty()) continue;
    SCOPED_TRACE(row.at("path"));
    Diagnostics diagnostics;
    const auto network = load_onnx(std::string(CONVSCOPE_MODELS) + "/" + row.at("path"), {}, diagnostics);
    ASSERT_TRUE(network.has_value());
    int warnings = 0;
    for (const Diagnostic& diagnostic : diagnostics.items()) warnings += diagnostic.severity != Severity::note;
    EXPECT_EQ(warnings, declares_a_wrong_shape(row.at("path")) ? 1 : 0) << diagnostics.text();
    for (const Node& node : network->graph->nodes) {
      for (const int output : node.outputs) {
        if (output < 0) continue;
        const Tensor& tensor = network->graph->tensors[static_cast<std::size_t>(output)];
        ++tensors;
        open += !tensor.shape.complete();
        EXPECT_TRUE(tensor.shape.complete() || node.operator_name == "If")
            << node.name << " " << node.operator_name << " " << tensor.name;
      }
    }
  }
  std::printf("%d of %d computed tensors have complete shapes\n", tensors - open, tensors);
}

}  // namespace
}  // namespace convscope::network
