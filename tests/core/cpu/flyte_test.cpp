// Convolutions whose tensors are stored as flyte.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cpu/architecture/machine.h"
#include "core/cpu/estimate/estimate.h"
#include "core/cpu/generate/flyte_text.h"
#include "core/cpu/generate/nest.h"
#include "core/cpu/layers/layer_problem.h"
#include "core/cpu/layers/problem_list.h"
#include "core/cpu/tree/microkernels.h"
#include "core/cpu/tree/tree.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/drawing.h"

namespace convscope::cpu {
namespace {

class StoredAsFlyte : public testing::TestWithParam<Family> {};

INSTANTIATE_TEST_SUITE_P(Cpu, StoredAsFlyte,
                         testing::Values(Family::scalar, Family::avx2, Family::avx512, Family::avx512vbmi,
                                         Family::neon32, Family::neon64),
                         [](const auto& one) { return std::string(traits(one.param).key); });

const char* const stored_tensors[] = {"weights flyte-16", "weights flyte-24",
                                      "weights flyte-8",  "image flyte-24, weights flyte-16, output flyte-24",
                                      "image flyte-16",   "image flyte-8, weights flyte-24 truncated, output flyte-16"};

TEST_P(StoredAsFlyte, EveryMicrokernelOnOddSizes) {
  if (!runnable(GetParam())) GTEST_SKIP() << "neither this processor nor an emulator runs it";
  const char* const sizes[] = {"7x9x5 -> 13, 3x3", "6x11x8 -> 35, 5x3, stride 2x1", "5x7x6 -> 9, 3x3, groups 3",
                               "8x13x17 -> 40, 1x1", "9x9x11 -> 11, 3x3, groups 11"};
  std::vector<Case> cases;
  std::size_t next = 0;
  for (const Microkernel& kernel : microkernels())
    for (const char* size : sizes) {
      const Problem one = problem(std::string(size) + ", " + stored_tensors[next++ % std::size(stored_tensors)]);
      if (auto path = draw_with(
              one, {{"family", std::string(traits(GetParam()).key)}, {"microkernel", std::string(kernel.key)}}, next))
        cases.push_back({one, *std::move(path)});
    }
  EXPECT_GT(cases.size(), 12U);
  const std::vector<CaseResult> results = run_cases(cases, GetParam());
  for (std::size_t i = 0; i < cases.size(); ++i)
    EXPECT_TRUE(results[i].right()) << text(cases[i].problem) << "\n"
                                    << json(cases[i].path) << "\nerror " << results[i].error << ", bound "
                                    << results[i].bound << " " << results[i].failure;
}

TEST(CpuFlyte, ProblemsAndLayoutsAreReadBack) {
  for (const char* text :
       {"9x9x4 -> 8, 3x3, weights flyte-16", "9x9x4 -> 8, 3x3, image flyte-24, output flyte-8 truncated"})
    EXPECT_EQ(convscope::cpu::text(problem(text)), text);
  for (const char* text : {"9x9x4 -> 8, 3x3, weights flyte-12", "9x9x4 -> 8, 3x3, weights flyte-16 of float64"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse_problem(text, diagnostics)) << text;
  }
  const auto layout = parse_layout("[M/16]YXC[16] flyte-24");
  ASSERT_TRUE(layout);
  EXPECT_EQ(text(*layout), "[M/16]YXC[16] flyte-24");
  const Extents extents = problem("9x9x4 -> 20, 3x3").kernel();
  EXPECT_EQ(bytes(*layout, extents), 32 * 9 * 4 * 3);
  EXPECT_EQ(bytes(in_floats(*layout), extents), 32 * 9 * 4 * 4);
  EXPECT_FALSE(parse_layout("HWC flyte"));
  EXPECT_FALSE(parse_layout("HWC flyte-40 of float64"));
}

/// What contradicts storing, and what doesn't.
TEST(CpuFlyte, TheTreeRefusesWhatCantBeStored) {
  const auto refusal = [](const char* text, std::vector<Choice> fixed, const char* level, const char* value) {
    const Problem one = problem(text);
    Path path;
    for (std::string next = next_level(one, path); next != level; next = next_level(one, path)) {
      const auto found = std::find_if(fixed.begin(), fixed.end(), [&](const Choice& c) { return c.level == next; });
      const std::vector<Option> all = options(one, any_machine(one), {}, path);
      const auto first = std::find_if(all.begin(), all.end(), [](const Option& o) { return o.rejected.empty(); });
      if (next.empty() || (found == fixed.end() && first == all.end())) return std::string("no such level");
      path.choices.push_back({next, found == fixed.end() ? first->value : found->value});
    }
    for (const Option& option : options(one, any_machine(one), {}, path))
      if (option.value == value) return option.rejected;
    return std::string("no such value");
  };
  const std::vector<Choice> wmc{{"family", "avx2"}, {"microkernel", "wmc_yxc"}};
  EXPECT_THAT(refusal("9x9x8 -> 16, 3x3, output flyte-16", {{"family", "avx2"}}, "microkernel", "wmc_c"),
              testing::HasSubstr("rounded"));
  EXPECT_EQ(refusal("9x9x8 -> 16, 1x1, output flyte-16", {{"family", "avx2"}}, "microkernel", "wmc_c"), "");
  EXPECT_EQ(refusal("9x9x8 -> 16, 3x3, weights flyte-16", {{"family", "avx2"}}, "microkernel", "wmc_c"), "");
  EXPECT_THAT(refusal("9x9x8 -> 16, 3x3, output flyte-16", wmc, "block c", "2"), testing::HasSubstr("rounded"));
  EXPECT_THAT(refusal("9x9x8 -> 16, 3x3, output flyte-16", wmc, "store", "streaming"), testing::HasSubstr("flyte"));
  EXPECT_THAT(refusal("9x9x8 -> 16, 3x3, image flyte-16", wmc, "padding", "peeled"), testing::HasSubstr("buffer"));
  EXPECT_EQ(refusal("9x9x8 -> 16, 1x1, image flyte-16", wmc, "padding", "buffer"), "");
}

/// Permuting bytes is for three of them; where nothing is stored so, avx512 has the same program.
TEST(CpuFlyte, BytesArePermutedWhereTheMachineDoes) {
  const auto refusal = [](const char* text, Family family) {
    TreeMachine machine;
    machine.families = {Family::avx2, Family::avx512, family};
    for (const Option& option : options(problem(text), machine, {}, {}))
      if (option.value == "avx512vbmi") return option.rejected;
    return std::string("no such value");
  };
  EXPECT_EQ(refusal("9x9x8 -> 16, 3x3, weights flyte-24", Family::avx512vbmi), "");
  EXPECT_EQ(refusal("9x9x8 -> 16, 3x3, output flyte-24 truncated", Family::avx512vbmi), "");
  EXPECT_THAT(refusal("9x9x8 -> 16, 3x3, weights flyte-16", Family::avx512vbmi), testing::HasSubstr("three bytes"));
  EXPECT_THAT(refusal("9x9x8 -> 16, 3x3, weights flyte-24", Family::avx512), testing::HasSubstr("doesn't have it"));
  const auto text_of = [](Family family, int lanes) {
    return flyte_load_function({3}, family, lanes) + flyte_store_functions({3}, family, lanes);
  };
  EXPECT_THAT(text_of(Family::avx512vbmi, 16), testing::HasSubstr("permvarqi512"));
  EXPECT_THAT(text_of(Family::avx512vbmi, 8), testing::HasSubstr("permvarqi256"));
  for (const int lanes : {4, 8, 16})
    EXPECT_THAT(text_of(Family::avx512, lanes), testing::Not(testing::HasSubstr("permvarqi"))) << lanes;
}

/// Weights that don't fit a cache as floats, but as flyte.
TEST(CpuFlyte, FewerBytesAreMoved) {
  const auto bytes_of = [](const char* text) {
    const Problem one = problem(text);
    const auto path = draw_with(one,
                                {{"family", "avx2"},
                                 {"microkernel", "wmc_yxc"},
                                 {"kernel", "[M/16]YXC[16]"},
                                 {"block m", "none"},
                                 {"block h", "none"},
                                 {"block w", "none"},
                                 {"block c", "none"},
                                 {"loop 1", "h"},
                                 {"unroll", "1"},
                                 {"tile", "6x2"}},
                                1);
    Diagnostics diagnostics;
    const auto nest = path ? describe(one, *path, diagnostics) : std::nullopt;
    EXPECT_TRUE(nest) << text << diagnostics.text();
    return nest ? estimate(*nest, {}) : Estimate{};
  };
  const Estimate floats = bytes_of("6x6x512 -> 512, 3x3"), halves = bytes_of("6x6x512 -> 512, 3x3, weights flyte-16");
  EXPECT_GT(floats.bytes[3], 1.8 * halves.bytes[3]);
  EXPECT_GT(floats.bytes[0], 1.2 * halves.bytes[0]);
  EXPECT_LT(floats.parts[2], halves.parts[2]) << "converting is an instruction more";
}

TEST(CpuFlyte, TheMachineSaysWhatLayersStore) {
  const network::Network network = network_of({problem("9x9x4 -> 8, 3x3")}, "one");
  std::string reason;
  Machine machine;
  EXPECT_EQ(problem_of(network.layers[0], machine, reason), problem("9x9x4 -> 8, 3x3"));
  arch::ParameterValues values(machine_description());
  Diagnostics diagnostics;
  EXPECT_TRUE(values.set("weights", "flyte-16", diagnostics)) << diagnostics.text();
  EXPECT_TRUE(values.set("activations", "flyte-24 truncated", diagnostics)) << diagnostics.text();
  EXPECT_TRUE(values.set("dram_energy", "640", diagnostics)) << diagnostics.text();
  machine = machine_from(values);
  EXPECT_EQ(problem_of(network.layers[0], machine, reason),
            problem("9x9x4 -> 8, 3x3, image flyte-24 truncated, weights flyte-16, output flyte-24 truncated"));
  EXPECT_DOUBLE_EQ(machine.dram.energy, 640e-12);
}

TEST(CpuFlyte, ListsOfConvolutionsLeaveItToTheMachine) {
  Diagnostics diagnostics;
  EXPECT_TRUE(read_problem_list_text("9x9x4 -> 8, 3x3\n", "list", diagnostics));
  EXPECT_FALSE(read_problem_list_text("9x9x4 -> 8, 3x3, weights flyte-16\n", "list", diagnostics));
  EXPECT_THAT(diagnostics.text(), testing::HasSubstr("--set weights"));
}

}  // namespace
}  // namespace convscope::cpu
