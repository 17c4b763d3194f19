// Looped programs: cycles as derived, outputs equal to the reference bit for bit, mutants refused or harmless.

#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

#include "core/nve/architecture/assembly.h"
#include "core/nve/check_program.h"
#include "core/nve/verify/verify_program.h"
#include "tests/core/nve/layers.h"
#include "tests/core/nve/wide_machine.h"
#include "tests/made/sanitized.h"

namespace convscope::nve::test {
namespace {

network::Layer dense_layer(network::Size kernel, int stride, network::Size out, int inputs, int maps) {
  network::Layer layer = make_layer(kernel.height, kernel.width, stride, out, {{0}}, inputs);
  layer.inputs.clear();
  layer.dense = true;
  layer.out.maps = maps;
  return layer;
}

Program program_of(const target::CompiledLayer& layer, int number) {
  Diagnostics diagnostics;
  const auto program = read_program_file(layer.program_file(number), "looped", diagnostics);
  EXPECT_TRUE(program) << diagnostics.text();
  return program.value_or(Program{});
}

struct Case {
  const char* name;
  network::Size kernel;
  int stride, inputs, maps;
  std::int64_t pass, passes;  ///< cycles, and how many an iteration takes
};

class LoopedProgram : public testing::TestWithParam<Case> {};

// strip = initial + N (T P + a) + 2a + 3: every instruction of an iteration but the biases' multiplies and accumulates.
TEST_P(LoopedProgram, TakesTheCyclesThatItsFormulaSays) {
  const Case& tested = GetParam();
  const network::Layer layer = dense_layer(tested.kernel, tested.stride, {19, 5}, tested.inputs, tested.maps);
  const auto compiled = compile(layer, looped_switches(), wide_machine());
  ASSERT_TRUE(compiled->mapped()) << compiled->reason();
  const Program program = program_of(*compiled, 0);
  ASSERT_GT(program.units, 0);
  const auto maps = static_cast<std::int64_t>(program.maps.size());
  EXPECT_EQ(program.pass_size, tested.pass);
  EXPECT_EQ(program.passes + 1, tested.passes);
  EXPECT_EQ(program.head_size(), program.pass_size + maps);
  EXPECT_EQ(program.final_size, 2 * maps + 3);
  Diagnostics diagnostics;
  const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
  EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  EXPECT_EQ(counted(result, "cycles"), compiled->metrics().cycles.value);
}

INSTANTIATE_TEST_SUITE_P(Layers, LoopedProgram,
                         testing::Values(Case{"Pointwise", {1, 1}, 1, 64, 16, 32, 32},
                                         Case{"ThreeByThree", {3, 3}, 1, 24, 16, 48, 72},
                                         Case{"Strided", {3, 3}, 2, 24, 16, 48, 72}),
                         [](const auto& tested) { return tested.param.name; });

TEST(Looped, ProgramsSurviveFileAndAssembly) {
  const auto compiled = compile(dense_layer({3, 3}, 1, {16, 4}, 20, 16), looped_switches(), wide_machine());
  ASSERT_TRUE(compiled->mapped());
  const Program program = program_of(*compiled, 0);
  ASSERT_GT(program.passes, 0);
  EXPECT_GT(program.bias_shift, 0);
  EXPECT_EQ(write_program_file(program), compiled->program_file(0));
  Diagnostics diagnostics;
  const auto parsed = parse_assembly(print_assembly(program), "printed", diagnostics);
  ASSERT_TRUE(parsed) << diagnostics.text();
  EXPECT_EQ(*parsed, program);
}

TEST(Looped, ShallowLayersKeepBodiesThatHoldAnIteration) {
  network::Layer depthwise = dense_layer({3, 3}, 1, {32, 8}, 8, 8);
  depthwise.groups = 8;
  const auto compiled = compile(depthwise, looped_switches(), wide_machine());
  ASSERT_TRUE(compiled->mapped());
  EXPECT_EQ(program_of(*compiled, 0).units, 0);
}

network::Layer random_dense(std::mt19937_64& random) {
  const auto between = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  const network::Size kernel{between(1, 7), between(1, 7)};
  const network::Size out{between(1, 20), between(1, 7)};
  const int stride = between(1, 4), inputs = between(4, 40), maps = between(2, 40);
  network::Layer layer = dense_layer(kernel, stride, out, inputs, maps);
  if (kernel.height < 4 && between(0, 3) == 0) {
    layer.dilation = {2, between(1, 3)};
    layer.in.size.height += kernel.height - 1;
    layer.in.size.width += (kernel.width - 1) * (layer.dilation.width - 1);
  }
  const int pad = between(0, kernel.height - 1);
  layer.padding = {pad, pad, pad, pad};
  layer.in.size.height = std::max(1, layer.in.size.height - 2 * pad);
  layer.in.size.width = std::max(1, layer.in.size.width - 2 * pad);
  return layer;
}

// 500 with CONVSCOPE_FULL=1.
TEST(Looped, RandomLayersOnRandomMachines) {
  std::mt19937_64 random(21);
  const int layers = std::getenv("CONVSCOPE_FULL") ? 500 : convscope::test::sanitized ? 12 : 60;
  int programs = 0;
  for (int i = 0; i < layers; ++i) {
    const network::Layer layer = random_dense(random);
    const Machine machine = random_wide_machine(random);
    SCOPED_TRACE(testing::Message() << "layer " << i);
    const auto compiled = compile(layer, looped_switches(), machine);
    EXPECT_EQ(compiled->reason().find("verifier"), std::string::npos) << compiled->reason();
    if (!compiled->mapped()) continue;
    programs += program_of(*compiled, 0).units > 0;
    Diagnostics diagnostics;
    const target::SimulationResult result = simulate(*compiled, "seed:7", 3, 0, diagnostics);
    EXPECT_TRUE(result.ran && result.matches) << diagnostics.text();
  }
  EXPECT_GT(programs, layers / 4);
}

// One bit of an instruction, or one setting, is another: what the verifier lets through computes the same.
TEST(Looped, MutantsAreRefusedOrHarmless) {
  const network::Layer layer = dense_layer({3, 3}, 1, {16, 3}, 5, 6);
  const auto compiled = compile(layer, looped_switches(), wide_machine(8));
  ASSERT_TRUE(compiled->mapped());
  const Program program = program_of(*compiled, 0);
  ASSERT_GT(program.passes, 0);
  std::mt19937_64 random(5);
  int refused = 0, harmless = 0;
  for (int i = 0; i < (convscope::test::sanitized ? 80 : 800); ++i) {
    Program mutant = program;
    const std::size_t word = random() % mutant.words.size();
    const auto bit = static_cast<unsigned>(random() % static_cast<unsigned>(instruction_bits(mutant.machine)));
    if (i % 8 != 0) mutant.words[word][bit / 64] ^= std::uint64_t{1} << (bit % 64);
    int* const settings[] = {&mutant.passes, &mutant.units,      &mutant.lead,       &mutant.increment,
                             &mutant.toggle, &mutant.bias_shift, &mutant.iterations, &mutant.pass_size};
    if (i % 8 == 0) *settings[random() % 8] += random() % 2 == 0 ? 1 : -1;
    Diagnostics diagnostics;
    if (!verify_program(mutant, diagnostics)) {
      ++refused;
      continue;
    }
    Diagnostics found;
    const ProgramCheck check = check_programs({mutant}, layer_of(mutant), {}, {}, found);
    EXPECT_TRUE((check.ran && check.matches) || found.has_errors()) << "mutant " << i;
    harmless += check.ran && check.matches;
  }
  EXPECT_GT(refused, 8 * harmless);
}

}  // namespace
}  // namespace convscope::nve::test
