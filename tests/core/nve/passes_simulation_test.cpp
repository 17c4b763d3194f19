// Generated programs run in the simulator, hazard-free, with outputs equal to the fixed-point reference bit for bit.

#include <cstdlib>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "core/nve/passes/bind_program.h"
#include "core/nve/passes/loop.h"
#include "core/nve/passes/schedule_structure.h"
#include "core/schedule/verify/verify.h"
#include "tests/core/nve/layers.h"
#include "tests/made/sanitized.h"

namespace convscope::nve::test {
namespace {

void expect_correct(const network::Layer& layer, const Switches& switches, const Machine& machine, int strips) {
  const auto compiled = compile(layer, switches, machine);
  ASSERT_TRUE(compiled->mapped()) << compiled->reason();
  Diagnostics diagnostics;
  const target::SimulationResult result = simulate(*compiled, "seed:7", 3, strips, diagnostics);
  EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  if (strips != 0) return;
  EXPECT_EQ(counted(result, "outputs"), layer.out.maps * layer.out.size.height * layer.out.size.width);
  // The closed form of the figures is what the simulator counts.
  EXPECT_EQ(counted(result, "cycles"), compiled->metrics().cycles.value);
}

class Sample : public testing::TestWithParam<const char*> {};

TEST_P(Sample, EveryStripOfEveryLayerFullyOptimized) {
  for (const network::Layer& layer : sample(GetParam()).layers) {
    SCOPED_TRACE(layer.name);
    expect_correct(layer, fusion, {}, 0);
  }
}

// Every strip of every program takes minutes: here the small layers whole, of the others their first two strips.
TEST_P(Sample, EveryStripBeyondTheThesis) {
  const bool full = std::getenv("CONVSCOPE_FULL") != nullptr;
  constexpr std::int64_t small = 20'000'000;
  for (const network::Layer& layer : sample(GetParam()).layers)
    for (const Switches& switches : {thesis_layout, optimal}) {
      SCOPED_TRACE(layer.name);
      expect_correct(layer, switches, {}, full || layer.macs() < small ? 0 : 2);
    }
}

TEST_P(Sample, FirstStripAtTheLowerLevels) {
  for (const network::Layer& layer : sample(GetParam()).layers)
    for (const Switches& switches : {none, packing, modulo}) {
      SCOPED_TRACE(layer.name);
      expect_correct(layer, switches, {}, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Thesis, Sample, testing::Values("filter_3x3", "face_detection", "speed_sign"));

std::vector<std::vector<int>> random_connections(int in_maps, int out_maps, std::mt19937_64& random) {
  std::vector<std::vector<int>> inputs(static_cast<std::size_t>(out_maps));
  for (auto& list : inputs) {
    std::vector<int> all(static_cast<std::size_t>(in_maps));
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
    list.assign(all.begin(), all.begin() + 1 + static_cast<std::ptrdiff_t>(random() % all.size()));
  }
  return inputs;
}

network::Layer random_layer(std::mt19937_64& random, int most_inputs) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const int in_maps = between(1, most_inputs);
  const network::Size out{between(1, 41), between(1, 23)};
  const int kernel_height = between(1, 7), kernel_width = between(1, 7), stride = between(1, 3);
  network::Layer layer =
      make_layer(kernel_height, kernel_width, stride, out, random_connections(in_maps, between(1, 4), random), in_maps);
  // As far as every machine's image register reaches.
  if (const int dilation = between(1, 6); (kernel_height - 1) * dilation < 8) layer.dilation.height = dilation;
  layer.dilation.width = std::max(1, between(-3, 4));
  layer.in.size.height += (kernel_height - 1) * (layer.dilation.height - 1);
  layer.in.size.width += (kernel_width - 1) * (layer.dilation.width - 1);
  return layer;
}

// Large kernels over many inputs don't fit the thesis's instruction buffer; a larger one lets every case through.
Machine roomy() {
  Machine machine;
  machine.instruction_buffer_words = machine.local_buffer_words = 4096;
  return machine;
}

TEST(RandomLayers, ThesisMachineAtAllLevels) {
  std::mt19937_64 random(20150831);
  const Switches levels[] = {none, packing, modulo, fusion, thesis_layout, optimal};
  for (int i = 0; i < 300; ++i) {
    const network::Layer layer = random_layer(random, 16);
    SCOPED_TRACE(testing::Message() << "layer " << i << ": kernel " << layer.kernel.height << "x" << layer.kernel.width
                                    << ", stride " << layer.stride.height << ", out " << layer.out.size.height << "x"
                                    << layer.out.size.width << ", dilation " << layer.dilation.height << "x"
                                    << layer.dilation.width << ", inputs " << layer.in.maps);
    expect_correct(layer, levels[i % 6], roomy(), 0);
  }
}

Machine random_machine(std::mt19937_64& random) {
  const auto pick = [&](std::initializer_list<int> values) { return *(values.begin() + random() % values.size()); };
  Machine machine = roomy();
  machine.lanes = pick({4, 8, 16, 32});
  machine.port_bits = pick({64, 128});
  machine.weight_registers = pick({2, 4, 8});
  machine.memory = static_cast<MemoryKind>(random() % 3);
  machine.write_to_read = pick({1, 2, 3, 5});
  machine.read_to_set = pick({1, 2, 3});
  machine.set_to_use = pick({1, 2});
  machine.output_latency = pick({1, 2, 3, 6});
  return machine;
}

TEST(RandomLayers, OtherMachines) {
  std::mt19937_64 random(92);
  const Switches levels[] = {none, packing, modulo, fusion};
  for (int i = 0; i < (convscope::test::sanitized ? 100 : 500); ++i) {
    const network::Layer layer = random_layer(random, 5);
    const Machine machine = random_machine(random);
    SCOPED_TRACE(testing::Message() << "layer " << i << ": kernel " << layer.kernel.height << "x" << layer.kernel.width
                                    << ", stride " << layer.stride.height << ", dilation " << layer.dilation.height
                                    << "x" << layer.dilation.width << ", inputs " << layer.in.maps << ", lanes "
                                    << machine.lanes << ", port " << machine.port_bits << ", memory "
                                    << static_cast<int>(machine.memory) << ", latencies " << machine.write_to_read
                                    << machine.read_to_set << machine.set_to_use << machine.output_latency);
    expect_correct(layer, levels[i % 4], machine, 0);
    for (const Switches& switches : {thesis_layout, optimal}) expect_correct(layer, switches, machine, 0);
  }
}

// Layers as other formats have them: padded on all sides, grouped, depthwise.
TEST(RandomLayers, PaddedAndGrouped) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    network::Layer layer = random_layer(random, 1);
    layer.dense = true;
    layer.inputs.clear();
    layer.groups = 1 << random() % 3;
    layer.in.maps = layer.groups * (1 + static_cast<int>(random() % 3));
    layer.out.maps = layer.groups * (1 + static_cast<int>(random() % 2));
    const auto pad = [&](int kernel) { return static_cast<int>(random() % static_cast<unsigned>(kernel)); };
    layer.padding = {pad(layer.kernel.height), pad(layer.kernel.width), pad(layer.kernel.height),
                     pad(layer.kernel.width)};
    layer.in.size.height = std::max(1, layer.in.size.height - layer.padding.top - layer.padding.bottom);
    layer.in.size.width = std::max(1, layer.in.size.width - layer.padding.left - layer.padding.right);
    SCOPED_TRACE(testing::Message() << "layer " << i);
    expect_correct(layer, i % 3 == 0 ? fusion : i % 3 == 1 ? modulo : optimal, roomy(), 0);
  }
}

// The generic verifier shares no code with the passes that placed the operations.
TEST(Schedules, KeepTheirProblemsDependencesAndResources) {
  for (const char* network : {"filter_3x3", "face_detection", "speed_sign"})
    for (const network::Layer& layer : sample(network).layers)
      for (const Switches& switches : {none, packing, modulo}) {
        target::NoCache cache;
        const MapGroup group = make_group(layer.inputs, {0});
        const auto program = schedule_structure({cache, {}}, group.structure, window_of(layer), switches, {});
        const Loop& loop = program->loop;
        const auto violations = schedule::verify(loop.problem, {loop.cycles, loop.initiation_interval});
        EXPECT_TRUE(violations.empty()) << network << layer.name << ": " << violations.front().text;
      }
}

TEST(Refused, SaysWhatDoesNotFitAndByHowMuch) {
  Machine machine;
  machine.instruction_buffer_words = 64;
  const auto small = compile(sample("speed_sign").layers[2], fusion, machine);
  EXPECT_FALSE(small->mapped());
  EXPECT_NE(small->reason().find("of 64 words of the instruction buffer"), std::string::npos) << small->reason();
  machine = Machine{};
  machine.local_buffer_words = 64;
  const auto narrow = compile(sample("speed_sign").layers[2], fusion, machine);
  EXPECT_NE(narrow->reason().find("of 64 words of the local buffer"), std::string::npos) << narrow->reason();
  const auto tall = compile(make_layer(9, 3, 1, {16, 16}, {{0}}, 1), fusion);
  EXPECT_NE(tall->reason().find("9 rows"), std::string::npos) << tall->reason();
}

}  // namespace
}  // namespace convscope::nve::test
