// The sample networks on nve-wide: nearly all of their work is mapped, at nearly all MACs that the lanes can do.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/readers/layer_list/layer_list.h"
#include "tests/core/nve/layers.h"
#include "tests/core/target/counting_cache.h"
#include "tests/made/sanitized.h"

namespace convscope::nve::test {
namespace {

std::vector<network::Layer> layers_of_sample(const std::string& name) {
  Diagnostics diagnostics;
  const std::string path = std::string(CONVSCOPE_SOURCE_DIR) + "/samples/networks/" + name + ".xml";
  const auto file = MappedFile::open(path, diagnostics);
  auto network = file ? readers::read_layer_list(*file, path, diagnostics) : std::nullopt;
  if (!network) {
    ADD_FAILURE() << diagnostics.text();
    return {};
  }
  if (!network->graph) return network->layers;
  network::Graph graph = *network->graph;
  network::infer_shapes(graph, {}, path, diagnostics);
  return network::layers_of(graph);
}

struct Expected {
  const char* network;
  double cycles;                     ///< at most, in millions
  double mac_share;                  ///< of the network's, that are mapped at least
  double machine_rate, useful_rate;  ///< MAC per cycle at least
};

class WideNetwork : public testing::TestWithParam<Expected> {};

TEST_P(WideNetwork, IsMappedWithNearlyAllLanesBusy) {
  const Expected& tested = GetParam();
  if (convscope::test::sanitized && std::string(tested.network) != "squeezenet_1_0")
    GTEST_SKIP() << "one network tells as much";
  Machine machine;
  machine.loop = InnerLoop::on;
  machine.accumulators = 16;
  machine.bias_shift = 15;
  Switches switches = optimal;
  switches.looped = true;
  target::CountingCache cache;
  double all = 0, macs = 0, strip_macs = 0, cycles = 0;
  for (const network::Layer& layer : layers_of_sample(tested.network)) {
    SCOPED_TRACE(layer.name);
    all += static_cast<double>(layer.macs());
    if (layer.operator_name != "Conv") continue;
    const auto compiled = compile_layer(layer, machine, switches, cache, {});
    ASSERT_TRUE(compiled->mapped()) << compiled->reason();
    macs += static_cast<double>(layer.macs());
    cycles += compiled->metrics().cycles.value;
    strip_macs += figure(*compiled, "strip_macs");
    if (layer.groups == 1) {
      EXPECT_GT(figure(*compiled, "mac_per_instruction"), 14.9);
    }
  }
  EXPECT_GT(macs / all, tested.mac_share);
  EXPECT_LT(cycles, tested.cycles * 1e6);
  EXPECT_GT(strip_macs / cycles, tested.machine_rate);
  EXPECT_GT(macs / cycles, tested.useful_rate);
}

INSTANTIATE_TEST_SUITE_P(Samples, WideNetwork,
                         testing::Values(Expected{"mobilenet_v2", 27.6, .995, 15.40, 10.80},
                                         Expected{"squeezenet_1_0", 60.3, .9999, 15.90, 13.83},
                                         Expected{"resnet50", 327.7, .999, 15.94, 11.76},
                                         Expected{"inception_v3", 578.9, .999, 15.96, 9.86},
                                         Expected{"yolov2_tiny", 202.6, .9999, 15.96, 13.34}),
                         [](const auto& tested) { return std::string(tested.param.network); });

}  // namespace
}  // namespace convscope::nve::test
