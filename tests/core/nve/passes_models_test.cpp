// Real networks: every convolution that the machine takes compiles at the highest level, is proven, and is bit-exact.

#include <filesystem>

#include <gtest/gtest.h>

#include "core/base/mapped_file.h"
#include "core/network/shape_inference.h"
#include "core/readers/onnx/onnx.h"
#include "tests/core/nve/layers.h"
#include "tests/core/target/counting_cache.h"

namespace convscope::nve::test {
namespace {

// Millions of cycles for each network: a matter of seconds with optimization, of minutes without.
#ifdef __OPTIMIZE__
constexpr std::size_t simulated_layers = 1000;
#else
constexpr std::size_t simulated_layers = 4;
#endif

struct Model {
  const char* path;
  int mapped;  // convolutions
};

std::vector<network::Layer> layers_of_model(const std::string& path) {
  Diagnostics diagnostics;
  const auto file = MappedFile::open(path, diagnostics);
  auto network = file ? readers::read_onnx(*file, path, diagnostics) : std::nullopt;
  if (!network || !network->graph) {
    ADD_FAILURE() << diagnostics.text();
    return {};
  }
  network::Graph graph = *network->graph;
  network::infer_shapes(graph, {}, path, diagnostics);
  return network::layers_of(graph);
}

class Models : public testing::TestWithParam<Model> {};

TEST_P(Models, EveryConvolutionIsProvenAndBitExactOrRefusedWithAReason) {
  const std::string path = std::string(CONVSCOPE_MODELS) + "/" + GetParam().path;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no model at " << path;
  target::CountingCache cache;
  int mapped = 0;
  std::size_t simulated = 0;
  for (const network::Layer& layer : layers_of_model(path)) {
    SCOPED_TRACE(layer.name);
    const auto compiled = compile_layer(layer, Machine{}, optimal, cache, {});
    if (!compiled->mapped()) {
      EXPECT_FALSE(compiled->reason().empty());
      continue;
    }
    ++mapped;
    EXPECT_EQ(figure(*compiled, "interval_bound"), figure(*compiled, "initiation_interval"));
    if (++simulated > simulated_layers) continue;
    Diagnostics found;
    const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 1, found);
    EXPECT_TRUE(result.ran && result.matches) << found.text();
  }
  EXPECT_EQ(mapped, GetParam().mapped);
}

INSTANTIATE_TEST_SUITE_P(Real, Models,
                         testing::Values(Model{"onnx-shape-only/zigzag/resnet18.onnx", 4},
                                         Model{"onnx-shape-only/zigzag/mobilenetv2.onnx", 42},
                                         Model{"onnx-light/light_squeezenet.onnx", 16},
                                         Model{"onnx-real/ultraface-rfb-320/version-RFB-320.onnx", 48}));

}  // namespace
}  // namespace convscope::nve::test
