#include "core/cpu/simulate/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/cpu_target.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/run/toolchain.h"
#include "core/cpu/simulate/throughput.h"
#include "core/target/pass_cache.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/compiled_arm.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

struct Simulated {
  std::optional<target::SimulationResult> result;
  Diagnostics diagnostics;
  double counted(std::string_view key) const {
    for (const artifact::NamedQuantity& each : result->counted)
      if (each.key == key) return each.quantity.value;
    return -1;
  }
  std::string text(std::string_view key) const {
    for (const artifact::NamedQuantity& each : result->counted)
      if (each.key == key) return each.text;
    return {};
  }
};

Simulated simulated(const std::string& words, Family family, const std::string& way,
                    const std::string& processor = {}) {
  Machine machine;
  machine.family = family;
  machine.registers = traits(family).registers;
  machine.ranked = 100;
  const auto target = make_cpu_target("/nowhere/store.sqlite");
  Diagnostics ignored;
  const network::Network network = network_of({parse_problem(words, ignored).value()}, "words");
  const arch::ParameterValues values = parameter_values(machine);
  target::NoCache cache;
  const auto layer = target->compile({&network, 0, &values, "estimate", nullptr}, cache, {});
  target::OptionValues options(target->simulation_tools()->options());
  Simulated all;
  EXPECT_TRUE(options.set("run", way, all.diagnostics) && options.set("processor", processor, all.diagnostics));
  all.result = layer->simulate(options, {}, all.diagnostics);
  return all;
}

class ArmPrograms : public testing::TestWithParam<Family> {};

TEST_P(ArmPrograms, AreRunUnderEmulationAndTheirLoopsCounted) {
  if (!arm_tools()) GTEST_SKIP() << "Clang, lld or QEMU is missing";
  const Simulated all = simulated("13x11x12 -> 20, 3x3", GetParam(), "any");
  ASSERT_TRUE(all.result && all.result->ran) << all.diagnostics.text();
  EXPECT_TRUE(all.result->matches) << all.diagnostics.text();
  EXPECT_EQ(all.text("run"), "emulated");
  EXPECT_GT(all.counted("error_bound"), all.counted("largest_error"));
  if (find_cross_tools(GetParam()).analyzer.empty()) return;
  EXPECT_GT(all.counted("operations_per_cycle"), 1) << all.diagnostics.text();
  EXPECT_GE(3 * all.counted("loop_cycles"), all.counted("loop_instructions")) << "none starts more than three a cycle";
  EXPECT_LE(all.counted("operations_per_cycle"), 8 * 1.01) << "two lanes of four, or one, multiply and add";
}

INSTANTIATE_TEST_SUITE_P(All, ArmPrograms, testing::Values(Family::neon32, Family::neon64),
                         [](const auto& one) { return std::string(traits(one.param).key); });

TEST(Simulation, InterpretsWithoutACompiler) {
  const Simulated interpreted = simulated("7x9x8 -> 16, 3x3", Family::avx2, "interpreted");
  ASSERT_TRUE(interpreted.result && interpreted.result->ran) << interpreted.diagnostics.text();
  EXPECT_TRUE(interpreted.result->matches);
  EXPECT_EQ(interpreted.text("run"), "interpreted");
}

TEST(Simulation, SaysWhyItCantRun) {
  const Simulated emulated = simulated("7x9x8 -> 16, 3x3", Family::avx2, "emulated");
  ASSERT_TRUE(emulated.result);
  EXPECT_FALSE(emulated.result->ran);
  EXPECT_THAT(emulated.diagnostics.text(), testing::HasSubstr("only programs for ARM are emulated"));
  const Simulated large = simulated("112x112x64 -> 128, 3x3", Family::neon64, "interpreted");
  EXPECT_FALSE(large.result->ran);
  EXPECT_THAT(large.diagnostics.text(), testing::HasSubstr("too large to be interpreted"));
}

TEST(Simulation, NotesAProcessorThatLlvmDoesntKnow) {
  if (find_cross_tools(Family::neon64).analyzer.empty()) GTEST_SKIP() << "llvm-mca is missing";
  const Simulated all = simulated("7x9x8 -> 16, 3x3", Family::neon64, "interpreted", "cortex-nothing");
  ASSERT_TRUE(all.result && all.result->ran);
  EXPECT_EQ(all.counted("operations_per_cycle"), -1);
  EXPECT_THAT(all.diagnostics.text(), testing::HasSubstr("LLVM knows no processor 'cortex-nothing'"));
}

TEST(InnermostLoops, EndAtTheBranchBackAndCountMultiplyAdds) {
  const auto loops = innermost_loops(R"(
outer:
	.p2align 4
.LBB0_1:                                // a comment
	ldr	q0, [x0], #16
	fmla	v1.4s, v0.4s, v2.s[0]
	fmla	v3.2s, v0.2s, v2.s[1]
	subs	x1, x1, #1
	b.ne	.LBB0_1
	b.eq	.LBB0_1
.LBB0_2:
	fmla	v1.4s, v0.4s, v2.s[0]
	cbz	x3, .LBB0_3
	fmla	v1.4s, v0.4s, v2.s[0]
	b	.LBB0_2
.LBB0_3:
	ret
)");
  ASSERT_EQ(loops.size(), 1U) << "a loop with a branch inside is no straight one";
  EXPECT_EQ(loops[0].instructions, 5);
  EXPECT_EQ(loops[0].operations, 2 * 4 + 2 * 2);
  EXPECT_THAT(loops[0].text, testing::HasSubstr("ldr\tq0, [x0], #16\n"));
}

TEST(InnermostLoops, OfOtherFamilies) {
  const auto wide = innermost_loops(
      ".LBB1_2:\n\tvmovups\t(%rdi), %zmm1\n\tvfmadd231ps\t%zmm1, %zmm2, %zmm3\n\tvfmadd213ss\t%xmm1, %xmm2, %xmm4 # "
      "xmm4\n\tjne\t.LBB1_2\n");
  ASSERT_EQ(wide.size(), 1U);
  EXPECT_EQ(wide[0].operations, 2 * 16 + 2);
  const auto arm = innermost_loops(
      ".LBB1_2:\n\tvldmia\tr4, {d16, d17}\n\tvfma.f32\tq1, q5, q7 @ four\n\tvmla.f32\td1, d5, d7\n\tbne\t.LBB1_2\n");
  ASSERT_EQ(arm.size(), 1U);
  EXPECT_EQ(arm[0].operations, 2 * 4 + 2 * 2);
  EXPECT_THAT(arm[0].text, testing::HasSubstr("vld1.64\t{d16, d17}, [r4]"));
}

}  // namespace
}  // namespace convscope::cpu
