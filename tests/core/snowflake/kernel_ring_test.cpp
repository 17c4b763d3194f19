// Kernels in a ring and tiles that fill the maps buffer: bit-equal on random layers and machines, and what they gain.

#include <gtest/gtest.h>

#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/plan/candidates.h"
#include "core/snowflake/simulate/simulator.h"
#include "random_layers.h"

namespace convscope::snowflake {
namespace {

std::string text_of(const Machine& m) {
  return std::to_string(m.cus) + " CUs " + std::to_string(m.vmacs) + " vMACs " + std::to_string(m.macs) +
         " MACs, maps " + std::to_string(m.maps_bank_words) + " kernels " + std::to_string(m.kernel_bank_words) + "+" +
         std::to_string(m.bias_words) + ", queue " + std::to_string(m.queue) + " bank " +
         std::to_string(m.instruction_bank);
}

// A layer's slots over all vMACs, for the machine that it is mapped to.
int slots_of(const LayerSpec& spec, const Machine& machine, const Mapping& mapping) {
  const SingleLayer single = single_layer(spec, machine);
  return kernel_shape(shape_of(single.layer, single.regions, machine, mapping.by_position), mapping, machine).slots;
}

Mapping random_ring(Random& random, const LayerSpec& spec, const Machine& machine) {
  Mapping m;
  m.independent = random.once_in(4);
  m.split = random.once_in(3);
  m.maps_loop = random.once_in(3);
  m.undivided = random.once_in(2);
  m.rows = random.from(1, 6);
  m.columns = spec.width;
  m.form = random.once_in(2) ? TraceForm::looped : TraceForm::unrolled;
  m.outputs_per_turn = random.from(1, 3);
  m.map_pieces = random.from(1, 4);
  m.kernels_early = !m.split && random.once_in(2);
  m.ring = true;
  m.kernels_per_vmac = slots_of(spec, machine, m);
  return m;
}

void check(unsigned seed, int count, int least, bool ring) {
  Random random(seed);
  int compiled_layers = 0;
  for (int i = 0; i < count; ++i) {
    Machine machine = random_machine(random);
    machine.kernel_bank_words = random.of({256, 384, 512, 1024});
    LayerSpec spec = random_layer(random);
    spec.kind = LayerKind::convolution;
    spec.outputs = random.of({16, 48, 96});
    Mapping mapping = random_ring(random, spec, machine);
    if (!ring) {
      mapping.ring = false;
      mapping.undivided = true;
      mapping.kernels_per_vmac = random.from(1, 2);
    }
    const CompiledSingle compiled = compile_single(spec, machine, mapping);
    if (!compiled.refused.empty()) continue;
    ++compiled_layers;
    ASSERT_EQ(run_single(compiled.program, 5), "equal")
        << i << ": " << spec.text() << "; " << mapping_name(mapping) << "; " << text_of(machine);
  }
  EXPECT_GE(compiled_layers, least);
}

TEST(KernelRing, RandomLayersAndMachinesEqualTheReference) {
  check(31, 400, 80, true);
}

TEST(KernelRing, UndividedBuffersEqualTheReference) {
  check(32, 200, 60, false);
}

LayerSpec large(int size, int channels, int stride, bool bypass) {
  LayerSpec s;
  s.height = s.width = size;
  s.channels = channels;
  s.outputs = 32;
  s.stride_height = s.stride_width = stride;
  s.padding = 1;
  s.bypass = bypass;
  s.relu = true;
  return s;
}

// Kernels of the preset's size: 7/6 of a bank and more.
TEST(KernelRing, KernelsLargerThanABankEqualTheReference) {
  const Machine machine;
  for (const int channels : {464, 480, 512})
    for (const bool split : {false, true})
      for (const int stride : {1, 2}) {
        const LayerSpec spec = large(split ? 10 : 7, channels, stride, channels == 512);
        Mapping m;
        m.split = split;
        m.undivided = true;
        m.rows = split ? 3 : 7;
        m.columns = 10;
        m.ring = true;
        m.kernels_per_vmac = slots_of(spec, machine, m);
        const CompiledSingle compiled = compile_single(spec, machine, m);
        ASSERT_EQ(compiled.refused, "");
        EXPECT_EQ(run_single(compiled.program, 9), "equal") << spec.text();
      }
}

double best_cycles(const LayerSpec& spec, const std::string& name) {
  const Machine machine;
  const SingleLayer single = single_layer(spec, machine);
  const Choice choice = choose(single.layer, single.regions, machine, CompileLevel::best);
  EXPECT_GE(choice.chosen, 0);
  const Alternative& best = choice.alternatives[static_cast<std::size_t>(choice.chosen)];
  EXPECT_NE(best.name.find(name), std::string::npos) << best.name;
  return best.cycles;
}

// The largest convolutions of ResNets, of 64 GMAC/s: 1.48 ms, 1.6 ms with stride 2. "Single" takes 2.9 and 6.3 ms.
TEST(KernelRing, LargestKernelsOfResNetsKeepTheMacsBusy) {
  LayerSpec spec = large(7, 512, 1, false);
  spec.outputs = 512;
  EXPECT_LT(best_cycles(spec, "in a ring"), 1.18 * 369664);
  spec.bypass = true;
  EXPECT_LT(best_cycles(spec, "in the whole buffer"), 1.22 * 369664);
  spec = large(14, 512, 2, false);
  spec.outputs = 512;
  EXPECT_LT(best_cycles(spec, "in a ring"), 1.45 * 409600);
}

TEST(KernelRing, WhatDoesntFitIsRefusedWithAReason) {
  const Machine machine;
  LayerSpec spec = large(7, 1024, 1, false);
  Mapping m;
  m.rows = m.columns = 1;
  m.ring = true;
  m.kernels_per_vmac = slots_of(spec, machine, m);
  EXPECT_NE(compile_single(spec, machine, m).refused.find("don't fit both kernel banks"), std::string::npos);
  m.kernels_per_vmac = 1;
  EXPECT_NE(compile_single(spec, machine, m).refused.find("takes all of a vMAC's"), std::string::npos);
}

}  // namespace
}  // namespace convscope::snowflake
