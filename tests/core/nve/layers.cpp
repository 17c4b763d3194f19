#include "tests/core/nve/layers.h"

#include <gtest/gtest.h>

#include "core/base/atomic_file.h"
#include "core/nve/simulation_options.h"
#include "core/readers/convnet_xml/convnet_xml.h"

namespace convscope::nve::test {

network::Layer make_layer(int kernel_height, int kernel_width, int stride, network::Size out,
                          std::vector<std::vector<int>> inputs, int in_maps) {
  network::Layer layer;
  layer.name = "L1";
  layer.kernel = {kernel_height, kernel_width};
  layer.stride = {stride, stride};
  layer.out = {static_cast<int>(inputs.size()), out};
  layer.in = {in_maps, {(out.height - 1) * stride + kernel_height, (out.width - 1) * stride + kernel_width}};
  layer.inputs = std::move(inputs);
  return layer;
}

network::Network sample(const std::string& name) {
  Diagnostics diagnostics;
  const std::string path = std::string(CONVSCOPE_SOURCE_DIR) + "/samples/networks/" + name + ".xml";
  const auto text = read_file(path, diagnostics);
  auto network = text ? readers::read_convnet_xml(*text, path, diagnostics) : std::nullopt;
  EXPECT_TRUE(network) << diagnostics.text();
  return network.value_or(network::Network{});
}

std::shared_ptr<const target::CompiledLayer> compile(const network::Layer& layer, const Switches& switches,
                                                     const Machine& machine) {
  target::NoCache cache;
  return compile_layer(layer, machine, switches, cache, {});
}

target::SimulationResult simulate(const target::Compiled& layer, const std::string& image, int coefficients_seed,
                                  int strips, Diagnostics& diagnostics) {
  target::OptionValues options(NveSimulationTools().options());
  EXPECT_TRUE(options.set("image", image, diagnostics));
  EXPECT_TRUE(options.set("coefficients-seed", std::to_string(coefficients_seed), diagnostics));
  EXPECT_TRUE(options.set("strips", std::to_string(strips), diagnostics));
  const auto result = layer.simulate(options, {}, diagnostics);
  EXPECT_TRUE(result);
  return result.value_or(target::SimulationResult{});
}

double counted(const target::SimulationResult& result, const std::string& key) {
  for (const artifact::NamedQuantity& figure : result.counted)
    if (figure.key == key) return figure.quantity.value;
  ADD_FAILURE() << "nothing counted as " << key;
  return 0;
}

double figure(const target::CompiledLayer& layer, const char* key) {
  const Quantity* found = layer.metrics().find(key);
  EXPECT_NE(found, nullptr) << key;
  return found == nullptr ? 0 : found->value;
}

}  // namespace convscope::nve::test
