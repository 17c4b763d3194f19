// Every machine that the parameters can describe: a layer is mapped and correct, or refused with the reason.

#include <random>

#include <gtest/gtest.h>

#include "core/nve/nve_target.h"
#include "tests/core/nve/layers.h"

namespace convscope::nve::test {
namespace {

// A value within the parameter's range; its ends more often than chance.
double random_value(const arch::ParameterDescription& parameter, std::mt19937_64& random) {
  if (parameter.kind == arch::ParameterKind::choice) return static_cast<double>(random() % parameter.choices.size());
  if (random() % 4 == 0) return random() % 2 == 0 ? parameter.minimum : parameter.maximum;
  const double share = static_cast<double>(random() % 10001) / 10000;
  return arch::nearest_allowed(parameter, parameter.minimum + share * (parameter.maximum - parameter.minimum));
}

arch::ParameterValues random_values(const target::Target& target, std::mt19937_64& random) {
  arch::ParameterValues values(target.machine());
  do {
    for (std::size_t i = 0; i < values.description().parameters.size(); ++i)
      values.set_at(i, random_value(values.description().parameters[i], random));
    Diagnostics diagnostics;
    if (values.check(diagnostics)) return values;
  } while (true);
}

std::string text(const arch::ParameterValues& values) {
  std::string result;
  for (std::size_t i = 0; i < values.description().parameters.size(); ++i)
    result += values.description().parameters[i].name + "=" + values.text(i) + " ";
  return result;
}

network::Network small_network() {
  network::Network network;
  network.layers = {make_layer(3, 3, 1, {37, 9}, {{0, 1}, {1}, {0, 1}}, 2),
                    make_layer(4, 2, 2, {20, 7}, {{0}, {0, 2}, {1, 2, 0}}, 3),
                    make_layer(1, 1, 1, {17, 5}, {{0, 1, 2, 3, 4, 5}}, 6), make_layer(2, 5, 3, {9, 11}, {{0}, {0}}, 1),
                    make_layer(3, 3, 1, {18, 8}, {{0, 1}}, 2)};
  network::Layer& dilated = network.layers.back();
  dilated.dilation = {2, 2};
  dilated.in.size = {22, 12};
  return network;
}

TEST(Machines, AnyCombinationWithinTheRangesIsMappedCorrectlyOrRefused) {
  const auto target = make_nve_target();
  const network::Network network = small_network();
  std::mt19937_64 random(1024);
  const char* levels[] = {"none", "packing", "modulo", "fusion", "optimal-thesis-layout", "optimal"};
  int mapped = 0, refused = 0;
  for (int i = 0; i < 252; ++i) {
    const arch::ParameterValues values = random_values(*target, random);
    SCOPED_TRACE(text(values) + levels[i % 6]);
    for (int layer = 0; layer < static_cast<int>(network.layers.size()); ++layer) {
      target::NoCache cache;
      const auto compiled = target->compile({&network, layer, &values, levels[i % 6]}, cache, {});
      EXPECT_EQ(compiled->reason().find("verifier"), std::string::npos) << compiled->reason();
      (compiled->mapped() ? mapped : refused) += 1;
      if (!compiled->mapped()) continue;
      EXPECT_GT(compiled->metrics().cycles.value, 0);
      Diagnostics diagnostics;
      const target::SimulationResult result = test::simulate(*compiled, "seed:2", 5, 0, diagnostics);
      EXPECT_TRUE(result.ran && result.matches) << "layer " << layer << ": " << diagnostics.text();
    }
  }
  EXPECT_GT(mapped, 500);
  EXPECT_GT(refused, 20);
}

// More of what the machine has never makes a layer slower, in the model as it stands.
TEST(Machines, ParametersChangeTheResultTruthfully) {
  const network::Layer layer = sample("face_detection").layers[1];
  Machine machine;
  const double base = compile(layer, fusion, machine)->metrics().cycles.value;
  machine.cores = 2;
  EXPECT_LT(compile(layer, fusion, machine)->metrics().cycles.value, base);
  machine = Machine{};
  machine.lanes = 32;
  EXPECT_LT(compile(layer, fusion, machine)->metrics().cycles.value, base);
  machine = Machine{};
  machine.port_bits = 128;
  EXPECT_LT(compile(layer, fusion, machine)->metrics().cycles.value, base);
  machine = Machine{};
  machine.memory = MemoryKind::simple_dual_port;
  EXPECT_GT(compile(layer, fusion, machine)->metrics().cycles.value, base);
  machine = Machine{};
  machine.instruction_buffer_words = 128;
  EXPECT_GT(compile(layer, fusion, machine)->metrics().cycles.value, base);
  machine = Machine{};
  machine.transfer_mode = TransferMode::scatter_gather;
  EXPECT_GT(compile(layer, fusion, machine)->metrics().seconds.value, compile(layer, fusion)->metrics().seconds.value);
  EXPECT_EQ(compile(layer, fusion, machine)->metrics().seconds.origin, Origin::estimate);
}

}  // namespace
}  // namespace convscope::nve::test
