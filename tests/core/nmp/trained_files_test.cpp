// Networks of files with their own weights on the simulator: their rounded graph, bit by bit.

#include <iostream>

#include <gtest/gtest.h>

#include "trained_frame.h"

namespace convscope::nmp {
namespace {

struct RealModel {
  const char* file;
  int element_bytes, partial_sum_bytes;
  double least_sqnr;
  bool free_running = false;  ///< then sums are computed with the layers before them where that saves time
  bool in_full = false;       ///< takes too long for every run of the tests
};

void PrintTo(const RealModel& model, std::ostream* out) {
  *out << model.file << ", " << 8 * model.element_bytes << " bits, sums of " << 8 * model.partial_sum_bytes
       << (model.free_running ? ", free running" : "");
}

class RealModels : public testing::TestWithParam<RealModel> {};

TEST_P(RealModels, ComputeTheirRoundedGraph) {
  const RealModel& model = GetParam();
  if (model.in_full && !in_full()) GTEST_SKIP() << "with CONVSCOPE_FULL=1";
  if (model_path(model.file).empty()) GTEST_SKIP() << "no models at " << CONVSCOPE_MODELS;
  Machine machine = machine_of(model.element_bytes, model.partial_sum_bytes);
  machine.free_running = model.free_running;
  const TrainedNetwork compiled(network_of_file(model.file), machine);
  Diagnostics diagnostics;
  const target::SimulationResult result = compiled.simulate({{"image", "seed:1"}}, diagnostics);
  EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  if (in_full()) std::cout << diagnostics.text();
  for (const artifact::NamedQuantity& each : result.counted)
    if (each.key == "sqnr") {
      EXPECT_GE(each.quantity.value, model.least_sqnr);
    }
}

const char* const lenet = "onnx-real/cnn-mnist-pytorch-java/cnn_mnist_pytorch.onnx";
const char* const mnist = "onnx-real/mnist8-cntk/model.onnx";
const char* const resnet8 = "onnx-real/zigzag-mlperf-tiny-resnet8/resnet8.onnx";
const char* const mcunet = "onnx-real/deeploy-MCUNet/network.onnx";
const char* const ultraface = "onnx-real/ultraface-rfb-320/version-RFB-320.onnx";
const char* const squeezenet = "onnx-real/squeezenet-fp16-winml/SqueezeNet_fp16.onnx";

const char* const yunet = "onnx-real/yunet/yunet_n_320_320.onnx";
const char* const fastestdet = "onnx-real/fastestdet/FastestDet.onnx";
const char* const keywords = "tflite/mlperf-tiny/kws_ref_model.tflite";
const char* const quantized_resnet8 = "tflite/mlperf-tiny/pretrainedResnet_quant.tflite";
const char* const added = "onnx-real/ort-testdata/fuse-conv-add-no-bias.onnx";

INSTANTIATE_TEST_SUITE_P(
    TrainedNetwork, RealModels,
    testing::Values(RealModel{lenet, 2, 4, 60}, RealModel{lenet, 1, 2, 20}, RealModel{mnist, 2, 4, 50},
                    RealModel{resnet8, 2, 4, 40}, RealModel{resnet8, 2, 4, 40, true}, RealModel{resnet8, 2, 2, 60},
                    RealModel{lenet, 2, 2, 60, false, true}, RealModel{resnet8, 1, 2, 0, false, true},
                    RealModel{mnist, 1, 2, 0, false, true}, RealModel{mcunet, 2, 4, 60, false, true},
                    RealModel{mcunet, 1, 2, 0, false, true}, RealModel{mcunet, 2, 2, 0, true, true},
                    RealModel{mcunet, 2, 2, 80, false, true}, RealModel{ultraface, 2, 4, 50, false, true},
                    RealModel{ultraface, 1, 2, 0, false, true}, RealModel{ultraface, 2, 2, 85, false, true},
                    RealModel{squeezenet, 2, 4, 40, false, true}, RealModel{squeezenet, 2, 2, 0, false, true},
                    RealModel{squeezenet, 1, 2, 0, false, true}, RealModel{yunet, 2, 4, 60, false, true},
                    RealModel{yunet, 2, 2, 60, true, true}, RealModel{yunet, 1, 2, 10, false, true},
                    RealModel{fastestdet, 2, 4, 45, false, true}, RealModel{fastestdet, 2, 2, 45, false, true},
                    RealModel{fastestdet, 1, 2, 0, true, true}, RealModel{added, 2, 4, 70, false, true},
                    RealModel{added, 1, 2, 20, false, true}, RealModel{keywords, 2, 4, 50},
                    RealModel{quantized_resnet8, 2, 4, 40}));

}  // namespace
}  // namespace convscope::nmp
