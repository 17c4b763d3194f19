// Real networks through shape inference: nothing contradicts what a format says itself, and the same network in two
// formats has the same layers.

#include <tuple>

#include "core/network/shape_inference.h"
#include "core/readers/caffe/caffe.h"
#include "core/readers/darknet/darknet.h"
#include "core/readers/graphdef/graphdef.h"
#include "core/readers/layer_list/layer_list.h"
#include "core/readers/onnx/onnx.h"
#include "core/readers/tflite/tflite.h"
#include "tests/core/readers/graph_questions.h"

namespace convscope::readers {
namespace {

using Read = std::optional<network::Network> (*)(const MappedFile&, const std::string&, Diagnostics&);

struct Inferred {
  network::Graph graph;
  std::vector<network::Layer> layers;
  Diagnostics diagnostics;  ///< of inference
};

Inferred infer(const std::string& path, Read read) {
  Inferred result;
  Diagnostics reading;
  const auto file = MappedFile::open(path, reading);
  const auto network = file ? read(*file, path, reading) : std::nullopt;
  EXPECT_TRUE(network.has_value()) << reading.text();
  if (!network) return result;
  result.graph = *network->graph;
  network::infer_shapes(result.graph, {}, path, result.diagnostics);
  result.layers = network::layers_of(result.graph);
  return result;
}

/// What a mapper sees of a convolution.
using Geometry = std::tuple<int, int, int, int, int, int, int, int, int, int, int, int>;

std::vector<Geometry> convolutions(const Inferred& network) {
  std::vector<Geometry> found;
  for (const network::Layer& layer : network.layers)
    if (layer.operator_name == "Conv")
      found.emplace_back(layer.in.maps, layer.out.maps, layer.out.size.height, layer.out.size.width,
                         layer.kernel.height, layer.kernel.width, layer.stride.height, layer.stride.width,
                         layer.dilation.height, layer.padding.top, layer.padding.left, layer.groups);
  // Parallel branches may stand in either order.
  std::sort(found.begin(), found.end());
  return found;
}

std::int64_t convolution_macs(const Inferred& network) {
  std::int64_t macs = 0;
  for (const network::Layer& layer : network.layers)
    if (layer.operator_name == "Conv") macs += layer.macs();
  return macs;
}

void expect_consistent(const std::string& folder, const std::string& extension, Read read) {
  for (const std::string& path : files_below(model_path(folder), extension)) {
    const Inferred network = infer(path, read);
    for (const Diagnostic& diagnostic : network.diagnostics.items())
      EXPECT_EQ(diagnostic.severity, Severity::note) << diagnostic.text();
    for (const network::Node& node : network.graph.nodes) {
      if (node.operator_name == "Conv" || node.operator_name == "Gemm") {
        EXPECT_TRUE(output_of(network.graph, node).shape.complete()) << path << ": " << node.name;
      }
    }
  }
}

TEST(SameNetwork, DarknetAgreesWithInference) {
  CONVSCOPE_NEEDS_MODELS("darknet")
  expect_consistent("darknet", ".cfg", read_darknet);
}

TEST(SameNetwork, CaffeAgreesWithInference) {
  CONVSCOPE_NEEDS_MODELS("caffe")
  expect_consistent("caffe", ".prototxt", read_caffe);
}

TEST(SameNetwork, TfLiteAgreesWithInference) {
  CONVSCOPE_NEEDS_MODELS("tflite")
  expect_consistent("tflite", ".tflite", read_tflite);
}

TEST(SameNetwork, OwnFilesAgreeWithInference) {
  const std::vector<std::pair<std::string, Read>> files{{"tests/models/darknet/residual.cfg", read_darknet},
                                                        {"tests/models/darknet/classifier.cfg", read_darknet},
                                                        {"tests/models/caffe/version_one.prototxt", read_caffe},
                                                        {"tests/models/caffe/normalized.prototxt", read_caffe},
                                                        {"tests/models/layer_list/everything.xml", read_layer_list},
                                                        {"tests/models/tflite/axes.tflite", read_tflite},
                                                        {"tests/models/tflite/network.tflite", read_tflite},
                                                        {"tests/models/graphdef/digits.pb", read_graphdef},
                                                        {"tests/models/graphdef/block.pbtxt", read_graphdef},
                                                        {"samples/networks/lenet.xml", read_layer_list},
                                                        {"samples/networks/inception_v3.xml", read_layer_list},
                                                        {"samples/networks/mobilenet_v2.xml", read_layer_list},
                                                        {"samples/networks/resnet50.xml", read_layer_list},
                                                        {"samples/networks/snowflake_alexnet_owt.xml", read_layer_list},
                                                        {"samples/networks/snowflake_resnet18.xml", read_layer_list},
                                                        {"samples/networks/snowflake_resnet50.xml", read_layer_list},
                                                        {"samples/networks/yolov2_tiny.xml", read_layer_list},
                                                        {"samples/networks/squeezenet_1_0.xml", read_layer_list}};
  for (const auto& [file, read] : files) {
    const Inferred network = infer(std::string(CONVSCOPE_SOURCE_DIR) + "/" + file, read);
    for (const Diagnostic& diagnostic : network.diagnostics.items())
      EXPECT_EQ(diagnostic.severity, Severity::note) << diagnostic.text();
  }
}

Inferred sample_network(const std::string& name) {
  return infer(std::string(CONVSCOPE_SOURCE_DIR) + "/samples/networks/" + name + ".xml", read_layer_list);
}

TEST(SameNetwork, SamplesAreTheNetworksThatFrameworksHave) {
  CONVSCOPE_NEEDS_MODELS("caffe/soeaver")
  EXPECT_EQ(convolutions(sample_network("inception_v3")),
            convolutions(infer(model_path("caffe/soeaver/deploy_inception-v3.prototxt"), read_caffe)));
  EXPECT_EQ(convolutions(sample_network("yolov2_tiny")),
            convolutions(infer(model_path("darknet/pjreddie/yolov2-tiny.cfg"), read_darknet)));
}

// These pad as TensorFlow does, others symmetrically.
TEST(SameNetwork, SamplesHaveTheMacsThatFrameworksCount) {
  CONVSCOPE_NEEDS_MODELS("onnx-shape-only/zigzag")
  const std::int64_t resnet = convolution_macs(sample_network("resnet50")),
                     mobilenet = convolution_macs(sample_network("mobilenet_v2"));
  EXPECT_EQ(resnet, convolution_macs(infer(model_path("caffe/resnet-50/ResNet-50-deploy.prototxt"), read_caffe)));
  EXPECT_EQ(mobilenet, convolution_macs(infer(model_path("onnx-shape-only/zigzag/mobilenetv2.onnx"), read_onnx)));
  EXPECT_EQ((mobilenet + 500) / 1000, 299'494);
}

// 4.089 G of ResNet-50 with the stride in the 3x3 and 1.814 G of ResNet-18, less the last layer's.
TEST(SameNetwork, SamplesOfSnowflakeHaveTheMacsOfTorch) {
  EXPECT_EQ(convolution_macs(sample_network("snowflake_alexnet_owt")), 655'566'528);
  EXPECT_EQ(convolution_macs(sample_network("snowflake_resnet18")), 1'814'073'344 - 512'000);
  EXPECT_EQ(convolution_macs(sample_network("snowflake_resnet50")), 4'089'184'256 - 2'048'000);
}

TEST(SameNetwork, UltrafaceInOnnxAndCaffe) {
  CONVSCOPE_NEEDS_MODELS("onnx-real/ultraface-rfb-320")
  const auto files = files_below(model_path("onnx-real/ultraface-rfb-320"), ".onnx");
  ASSERT_FALSE(files.empty());
  const Inferred caffe = infer(model_path("caffe/ultraface-rfb-320/RFB-320.prototxt"), read_caffe);
  EXPECT_EQ(convolutions(caffe).size(), 52u);
  EXPECT_EQ(convolutions(infer(files.front(), read_onnx)), convolutions(caffe));
}

TEST(SameNetwork, ResNet8InOnnxAndTfLite) {
  CONVSCOPE_NEEDS_MODELS("tflite/mlperf-tiny")
  const Inferred onnx = infer(model_path("onnx-real/zigzag-mlperf-tiny-resnet8/resnet8.onnx"), read_onnx);
  const Inferred tflite = infer(model_path("tflite/mlperf-tiny/pretrainedResnet.tflite"), read_tflite);
  const Inferred quantized = infer(model_path("tflite/mlperf-tiny/pretrainedResnet_quant.tflite"), read_tflite);
  EXPECT_EQ(convolutions(onnx), convolutions(tflite));
  EXPECT_EQ(convolutions(onnx), convolutions(quantized));
  EXPECT_EQ(convolution_macs(tflite), convolution_macs(onnx));
  EXPECT_EQ((convolution_macs(tflite) + 500) / 1000, 12'501);
}

TEST(SameNetwork, DsCnnInOnnxAndTfLite) {
  CONVSCOPE_NEEDS_MODELS("tflite/mlperf-tiny")
  const Inferred onnx = infer(model_path("onnx-real/zigzag-mlperf-tiny-ds_cnn/ds_cnn.onnx"), read_onnx);
  const Inferred tflite = infer(model_path("tflite/mlperf-tiny/kws_ref_model.tflite"), read_tflite);
  EXPECT_EQ(convolutions(onnx), convolutions(tflite));
  EXPECT_EQ(convolution_macs(tflite), 2'656'000);
}

}  // namespace
}  // namespace convscope::readers
