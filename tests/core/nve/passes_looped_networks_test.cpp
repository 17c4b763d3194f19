// The sample networks on nve-wide: nearly all of their work is mapped, at nearly all MACs that the lanes can do.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/readers/layer_list/layer_list.h"
#include "tests/core/nve/layers.h"
#include "tests/core/nve/wide_machine.h"
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
  double machine_rate, useful_rate;  ///< MAC per cycle at least
};

class WideNetwork : public testing::TestWithParam<Expected> {};

TEST_P(WideNetwork, IsMappedWithNearlyAllLanesBusy) {
  const Expected& tested = GetParam();
  if (convscope::test::sanitized && std::string(tested.network) != "squeezenet_1_0")
    GTEST_SKIP() << "one network tells as much";
  const Machine machine = wide_machine();
  const Switches switches = looped_switches();
  target::CountingCache cache;
  double all = 0, macs = 0, strip_macs = 0, cycles = 0;
  for (const network::Layer& layer : layers_of_sample(tested.network)) {
    SCOPED_TRACE(layer.name);
    all += static_cast<double>(layer.macs());
    if (layer.kernel.height == 0) continue;
    const auto compiled = compile_layer(layer, machine, switches, cache, {});
    ASSERT_TRUE(compiled->mapped()) << compiled->reason();
    macs += static_cast<double>(layer.macs());
    cycles += compiled->metrics().cycles.value;
    strip_macs += figure(*compiled, "strip_macs");
    if (layer.groups == 1 && layer.in.size != network::Size{1, 1}) {
      EXPECT_GT(figure(*compiled, "mac_per_instruction"), 14.9);
    }
  }
  EXPECT_EQ(macs, all);
  EXPECT_LT(cycles, tested.cycles * 1e6);
  EXPECT_GT(strip_macs / cycles, tested.machine_rate);
  EXPECT_GT(macs / cycles, tested.useful_rate);
}

/// Layers that have the same programs.
std::vector<network::Layer> distinct(std::vector<network::Layer> layers) {
  std::vector<network::Layer> found;
  for (network::Layer& layer : layers) {
    layer.name.clear();
    layer.node = -1;
    layer.source_line = 0;
    if (layer.kernel.height > 0 && std::find(found.begin(), found.end(), layer) == found.end())
      found.push_back(std::move(layer));
  }
  return found;
}

// Minutes without optimization, so with CONVSCOPE_FULL=1 alone.
TEST_P(WideNetwork, EveryDistinctLayerIsBitExactOverAWholeStrip) {
  if (std::getenv("CONVSCOPE_FULL") == nullptr) GTEST_SKIP() << "takes minutes: set CONVSCOPE_FULL=1";
  target::CountingCache cache;
  const auto layers = distinct(layers_of_sample(GetParam().network));
  for (const network::Layer& layer : layers) {
    SCOPED_TRACE(testing::Message() << layer.in.maps << " to " << layer.out.maps << " maps, kernel "
                                    << layer.kernel.height << "x" << layer.kernel.width);
    const auto compiled = compile_layer(layer, wide_machine(), looped_switches(), cache, {});
    ASSERT_TRUE(compiled->mapped()) << compiled->reason();
    Diagnostics diagnostics;
    const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 1, diagnostics);
    EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  }
  std::cout << GetParam().network << ": " << layers.size() << " distinct layers\n";
}

INSTANTIATE_TEST_SUITE_P(Samples, WideNetwork,
                         testing::Values(Expected{"mobilenet_v2", 23.0, 15.33, 13.11},
                                         Expected{"squeezenet_1_0", 57.8, 15.90, 14.40},
                                         Expected{"resnet50", 295.3, 15.95, 13.06},
                                         Expected{"inception_v3", 520.7, 15.97, 10.97},
                                         Expected{"yolov2_tiny", 202.1, 15.96, 13.37}),
                         [](const auto& tested) { return std::string(tested.param.network); });

}  // namespace
}  // namespace convscope::nve::test
