// Random layers, mappings and machines: what is compiled passes the verifier and computes what the reference computes.

#include <functional>

#include <gtest/gtest.h>

#include "compiled_layer.h"
#include "core/snowflake/compile/compiler.h"
#include "core/snowflake/simulate/simulator.h"
#include "random_layers.h"

namespace convscope::snowflake {
namespace {

LayerSpec random_convolution(Random& random) {
  LayerSpec s;
  s.height = random.from(4, 15);
  s.width = random.from(4, 15);
  s.raw_input = random.once_in(4);
  s.channels = s.raw_input ? random.of({1, 3, 5}) : random.of({16, 24, 32, 48, 64});
  s.outputs = random.of({8, 16, 24, 32, 40, 64, 96});
  s.kernel_height = s.kernel_width = random.of({1, 1, 2, 3, 3, 5, 7});
  if (random.once_in(6)) s.kernel_width = random.from(1, 4);
  s.stride_height = s.stride_width = random.of({1, 1, 2, 3});
  s.padding = random.from(0, std::min(s.kernel_height, s.kernel_width) - 1);
  s.relu = random.once_in(2);
  s.bypass = random.once_in(4);
  const int smallest = std::max(s.kernel_height, s.kernel_width);
  s.height = std::max(s.height, smallest);
  s.width = std::max(s.width, smallest);
  return s;
}

Mapping random_mapping(Random& random, const LayerSpec& spec, const Machine& machine) {
  const SingleLayer single = single_layer(spec, machine);
  Mapping m = paper_mapping(single.layer, single.regions, machine).mapping;
  m.maps_loop = random.once_in(3);
  if (random.once_in(2)) m.rows = random.from(1, m.rows);
  if (random.once_in(4)) m.columns = random.from(1, m.columns);
  if (random.once_in(2)) m.form = random.once_in(2) ? TraceForm::looped : TraceForm::unrolled;
  m.outputs_per_turn = random.from(1, 4);
  m.kernels_per_vmac = random.of({1, 1, 2, 3});
  m.map_pieces = random.from(1, 4);
  return m;
}

TEST(CompiledLayers, ConvolutionsInThePapersModeEqualTheReference) {
  Random random(1);
  for (int i = 0; i < 60; ++i) {
    const LayerSpec spec = random_convolution(random);
    const CompiledSingle compiled = compile_single(spec, Machine{});
    ASSERT_EQ(compiled.refused, "") << i << ": " << spec.text();
    ASSERT_EQ(run_single(compiled.program, 7), "equal") << i << ": " << spec.text();
  }
}

TEST(CompiledLayers, RandomMappingsEqualTheReference) {
  Random random(2);
  int compiled_layers = 0;
  for (int i = 0; i < 60; ++i) {
    const LayerSpec spec = random_convolution(random);
    const CompiledSingle compiled = compile_single(spec, Machine{}, random_mapping(random, spec, Machine{}));
    if (!compiled.refused.empty()) continue;
    ++compiled_layers;
    ASSERT_EQ(run_single(compiled.program, 7), "equal") << i << ": " << spec.text();
  }
  EXPECT_GT(compiled_layers, 50);
}

// Mappings that don't fit a layer are refused with a reason; `least` must fit all the same.
void run_random(unsigned seed, int count, int least, const std::function<LayerSpec(Random&)>& layer,
                const std::function<Mapping(Random&, const LayerSpec&)>& mapping) {
  Random random(seed);
  int compiled_layers = 0;
  for (int i = 0; i < count; ++i) {
    const LayerSpec spec = layer(random);
    const Mapping m = mapping(random, spec);
    const CompiledSingle compiled = compile_single(spec, Machine{}, m);
    if (!compiled.refused.empty()) continue;
    ++compiled_layers;
    ASSERT_EQ(run_single(compiled.program, 7), "equal")
        << i << ": " << spec.text() << " split " << m.split << " independent " << m.independent << " rows " << m.rows
        << " columns " << m.columns << " nk " << m.kernels_per_vmac << " position " << m.by_position << " mloop "
        << m.maps_loop;
  }
  EXPECT_GE(compiled_layers, least);
}

Mapping any_mapping(Random& random, const LayerSpec& spec) {
  return random_mapping(random, spec, Machine{});
}

TEST(CompiledLayers, SplitAndIndependentMappingsEqualTheReference) {
  run_random(3, 80, 40, random_convolution, [](Random& random, const LayerSpec& spec) {
    Mapping m = random_mapping(random, spec, Machine{});
    m.split = random.once_in(2);
    m.independent = random.once_in(2);
    return m;
  });
}

TEST(CompiledLayers, PoolsEqualTheReference) {
  const auto pool = [](Random& random) {
    LayerSpec s = random_convolution(random);
    s.kind = random.once_in(2) ? LayerKind::max_pool : LayerKind::average_pool;
    s.raw_input = s.bypass = false;
    s.channels = s.outputs = random.of({16, 24, 32, 64});
    s.count_padding = random.once_in(2);
    return s;
  };
  run_random(4, 60, 40, pool, [](Random& random, const LayerSpec& spec) {
    Mapping m = random_mapping(random, spec, Machine{});
    m.trace_per_position = random.once_in(2);
    m.split = true;
    if (random.once_in(4)) m.channels = 16;
    return m;
  });
}

TEST(CompiledLayers, GroupsAndDilationEqualTheReference) {
  const auto grouped = [](Random& random) {
    LayerSpec s = random_convolution(random);
    s.raw_input = false;
    const int groups = random.of({1, 2, 3, 4, 16, 32});
    s.groups = groups;
    s.channels = groups * random.of({1, 2, 8});
    s.outputs = groups * random.of({1, 2, 8, 16});
    s.dilation_height = random.from(1, 2);
    s.dilation_width = random.from(1, 2);
    s.height = s.width = 14;
    return s;
  };
  run_random(5, 80, 50, grouped, [](Random& random, const LayerSpec& spec) {
    Mapping m = random_mapping(random, spec, Machine{});
    if (random.once_in(3)) m.split = true;
    if (random.once_in(4)) m.independent = true;
    return m;
  });
}

TEST(CompiledLayers, PositionsOfPointwiseLayersEqualTheReference) {
  const auto pointwise = [](Random& random) {
    LayerSpec s = random_convolution(random);
    s.kernel_height = s.kernel_width = s.stride_height = s.stride_width = 1;
    s.padding = 0;
    return s;
  };
  run_random(6, 60, 30, pointwise, [](Random& random, const LayerSpec& spec) {
    Mapping m = random_mapping(random, spec, Machine{});
    m.by_position = true;
    m.columns = 1;
    m.rows = random.from(1, 60);
    m.split = random.once_in(2);
    m.independent = random.once_in(2);
    return m;
  });
}

TEST(CompiledLayers, FullyConnectedLayersEqualTheReference) {
  const auto connected = [](Random& random) {
    LayerSpec s;
    s.kind = LayerKind::fully_connected;
    s.height = s.kernel_height = random.from(1, 4);
    s.width = s.kernel_width = random.from(1, 4);
    s.channels = random.of({16, 40, 64, 200});
    s.outputs = random.of({10, 16, 100});
    return s;
  };
  run_random(7, 30, 25, connected, any_mapping);
}

TEST(CompiledLayers, KernelsLargerThanABankEqualTheReference) {
  const auto large = [](Random& random) {
    LayerSpec s = random_convolution(random);
    s.raw_input = s.bypass = false;
    s.kernel_height = s.kernel_width = 3;
    s.padding = 1;
    s.channels = random.of({480, 512});
    s.outputs = 32;
    s.height = s.width = random.from(4, 7);
    return s;
  };
  run_random(8, 6, 6, large, [](Random&, const LayerSpec& spec) {
    const SingleLayer single = single_layer(spec, Machine{});
    return paper_mapping(single.layer, single.regions, Machine{}).mapping;
  });
}

TEST(CompiledLayers, KernelsLargerThanTheBufferStreamInParts) {
  const auto huge = [](Random& random) {
    LayerSpec s;
    s.kind = LayerKind::fully_connected;
    s.height = s.width = s.kernel_height = s.kernel_width = random.of({6, 7});
    s.channels = random.of({256, 512});
    s.outputs = random.of({16, 40});
    if (random.once_in(3)) {
      s.kind = LayerKind::convolution;
      s.width += 1;
    }
    return s;
  };
  run_random(9, 8, 8, huge, [](Random&, const LayerSpec& spec) {
    const SingleLayer single = single_layer(spec, Machine{});
    return paper_mapping(single.layer, single.regions, Machine{}).mapping;
  });
}

struct Row {
  LayerSpec spec;
  double milliseconds;
};

LayerSpec square(int size, int kernel, int channels, int outputs, int padding) {
  LayerSpec s;
  s.height = s.width = size;
  s.kernel_height = s.kernel_width = kernel;
  s.channels = channels;
  s.outputs = outputs;
  s.padding = padding;
  s.relu = true;
  return s;
}

TEST(CompiledLayers, Table1WithinOnePercent) {
  for (const Row& row : {Row{square(27, 5, 64, 192, 2), 3.261}, Row{square(13, 3, 192, 384, 1), 1.624},
                         Row{square(13, 3, 384, 256, 1), 2.187}, Row{square(13, 3, 256, 256, 1), 1.458}}) {
    const Machine machine;
    const CompiledSingle compiled = compile_single(row.spec, machine);
    ASSERT_EQ(compiled.refused, "");
    const SimulationResult result = simulate(compiled.program);
    ASSERT_FALSE(result.refusal) << result.refusal->what;
    const double milliseconds = result.cycles / machine.clock_hz * 1e3;
    EXPECT_NEAR(milliseconds, row.milliseconds, 0.01 * row.milliseconds) << row.spec.text();
  }
}

TEST(CompiledLayers, Table1ByHandIsReachedAtLevelBest) {
  for (const Row& row : {Row{square(27, 5, 64, 192, 2), 3.256}, Row{square(13, 3, 192, 384, 1), 1.627},
                         Row{square(13, 3, 384, 256, 1), 2.188}, Row{square(13, 3, 256, 256, 1), 1.462}}) {
    const Machine machine;
    const SingleLayer single = single_layer(row.spec, machine);
    const Choice choice = choose(single.layer, single.regions, machine, CompileLevel::best);
    ASSERT_GE(choice.chosen, 0);
    const double cycles = choice.alternatives[static_cast<std::size_t>(choice.chosen)].cycles;
    EXPECT_LE(cycles / machine.clock_hz * 1e3, row.milliseconds) << row.spec.text();
  }
}

}  // namespace
}  // namespace convscope::snowflake
