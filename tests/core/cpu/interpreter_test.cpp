#include "core/cpu/syntax/interpreter.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/cpu/syntax/build.h"
#include "core/cpu/syntax/rewrite.h"
#include "core/cpu/tree/microkernels.h"
#include "tests/core/cpu/compiled.h"
#include "tests/core/cpu/drawing.h"
#include "tests/core/cpu/reference.h"

namespace convscope::cpu {
namespace {

/// Largest error of a stage's output; -1 if it couldn't be computed.
double error_of(const Stage& stage, const Generated& text, const Reference& reference) {
  const Problem& p = reference.problem;
  Diagnostics diagnostics;
  const auto output =
      interpret(stage.tree, pack(reference.image, text.image, p.image()), pack_kernel(reference, text), diagnostics);
  EXPECT_TRUE(output) << stage.name << ": " << diagnostics.text();
  return output ? largest_error(reference, text.output, output->data()) : -1;
}

GeneratedProgram program_of(const Case& one) {
  Diagnostics diagnostics;
  auto program = generate(one.problem, one.path, diagnostics);
  EXPECT_TRUE(program) << diagnostics.text();
  return program ? *std::move(program) : GeneratedProgram{};
}

/// Before the conditions are there, elements outside of the image are read.
std::size_t first_with_padding(const GeneratedProgram& program) {
  for (std::size_t i = 0; i < program.stages.size(); ++i)
    if (program.stages[i].name == "conditions") return i;
  return 0;
}

TEST(CpuInterpreter, EveryStageOfEveryMicrokernelComputesTheConvolution) {
  const char* const sizes[] = {"3x5x5 -> 7, 3x3", "3x5x4 -> 4, 3x3, groups 4"};
  for (const FamilyTraits& family : families())
    for (const Microkernel& kernel : microkernels())
      for (const char* size : sizes) {
        const Problem one = problem(size);
        if (kernel.strategy != Strategy::depthwise && one.groups > 1) continue;
        const auto path =
            draw_with(one, {{"family", std::string(family.key)}, {"microkernel", std::string(kernel.key)}}, 5);
        if (!path) continue;
        const GeneratedProgram program = program_of({one, *path});
        const Reference reference = make_reference(one, 3);
        for (std::size_t i = first_with_padding(program); i <= program.last_unlowered; ++i)
          EXPECT_LE(error_of(program.stages[i], program.text, reference), bound_of(reference, program.text))
              << program.stages[i].name << " of " << json(*path);
      }
}

/// The last tile alone reaches beyond the image: what it skips, the others mustn't.
TEST(CpuInterpreter, OnlyTilesThatReachBeyondTheImageSkipTaps) {
  const Problem one = problem("7x10x3 -> 10, 3x3, stride 2, pad 0 0 2 2");
  for (const char* padding : {"tests", "peeled"}) {
    const auto path = draw_with(one,
                                {{"family", "avx2"},
                                 {"microkernel", "wmc_c"},
                                 {"tile", "2x2"},
                                 {"loop 1", "y"},
                                 {"loop 2", "x"},
                                 {"padding", padding}},
                                1);
    ASSERT_TRUE(path);
    const GeneratedProgram program = program_of({one, *path});
    const Reference reference = make_reference(one, 3);
    EXPECT_LE(error_of(program.stages[program.last_unlowered], program.text, reference), reference.bound) << padding;
  }
}

void expect_last_stage_right(const Case& one) {
  const GeneratedProgram program = program_of(one);
  const Reference reference = make_reference(one.problem, 3);
  EXPECT_LE(error_of(program.stages[program.last_unlowered], program.text, reference),
            bound_of(reference, program.text))
      << text(one.problem) << " " << json(one.path);
}

/// A compiled program shows a race now and then only.
TEST(CpuInterpreter, IterationsThatThreadsDivideAreIndependent) {
  for (const Family family : {Family::scalar, Family::avx2, Family::avx512})
    for (const Case& one : threaded_cases(family, 17, 25)) expect_last_stage_right(one);
}

/// Tiles of a row of outputs are 6 and 5 wide, or 7, 7 and 6: a run of one tile has no loop, and taps stand outermost.
TEST(CpuInterpreter, TapsOutsideOfOneTileAreNotDivided) {
  const std::vector<Choice> fixed{{"family", "scalar"}, {"microkernel", "wmc_c"}, {"tile", "8x1"},
                                  {"block w", "none"},  {"loop 1", "w"},          {"loop 2", "x"},
                                  {"threads", "openmp"}};
  EXPECT_FALSE(draw_with(problem("12x12x13 -> 35, 1x2, pad 0 0 0 0, threads 2"), fixed, 1));
  const Problem one = problem("4x21x5 -> 7, 1x2, pad 0 0 0 0, threads 2");
  const auto path = draw_with(one, fixed, 1);
  ASSERT_TRUE(path);
  expect_last_stage_right({one, *path});
}

TEST(CpuInterpreter, EqualsTheCompiledProgram) {
  if (!runnable(Family::avx2)) GTEST_SKIP() << "this processor has no AVX2";
  const std::vector<Case> cases = random_cases(Family::avx2, 11, 4);
  const std::vector<CaseResult> compiled = run_cases(cases, Family::avx2);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const GeneratedProgram program = program_of(cases[i]);
    const Reference reference = make_reference(cases[i].problem, static_cast<unsigned>(i));
    Diagnostics diagnostics;
    const auto output = interpret(program.stages[program.last_unlowered].tree,
                                  pack(reference.image, program.text.image, cases[i].problem.image()),
                                  pack_kernel(reference, program.text), diagnostics);
    ASSERT_TRUE(output) << diagnostics.text();
    ASSERT_EQ(output->size(), compiled[i].output.size());
    for (std::size_t e = 0; e < output->size(); ++e)
      if (!std::isnan((*output)[e])) {
        EXPECT_NEAR((*output)[e], compiled[i].output[e], reference.bound);
      }
  }
}

SyntaxTree one_store(std::int64_t at) {
  const Layout layout{"HWM"};
  SyntaxTree tree;
  for (const char* name : {"image", "kernel", "output"})
    tree.tensors.push_back({name, layout, {{{'H', 1}, {'W', 1}, {'M', 4}}}, false});
  tree.root = block({definition("a", vector_type(1)), store({"output", {}, {}, Affine(at)}, "a", false)});
  return tree;
}

TEST(CpuInterpreter, RefusesAccessesOutside) {
  for (const std::int64_t at : {-1, 4}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(interpret(one_store(at), {}, {}, diagnostics)) << at;
    EXPECT_TRUE(diagnostics.has_errors());
  }
  Diagnostics diagnostics;
  EXPECT_TRUE(interpret(one_store(3), {}, {}, diagnostics));
}

/// Iterations 0 to 3 of a divided loop: sums at element `stride` * i, of what stands there and `more` elements on.
std::string fault_of_sums(int stride, std::int64_t more, int threads) {
  SyntaxTree tree = one_store(0);
  const Affine at = Affine::variable("i", stride);
  Node divided =
      *loop("i", 4,
            {definition("a", vector_type(1)), load("a", vector_type(1), {"output", {}, {}, at + Affine(more)}),
             store({"output", {}, {}, at}, "a", true)});
  divided.threads = threads;
  tree.tensors.back().extents = {{{'H', 1}, {'W', 1}, {'M', 8}}};
  tree.root = block({make(divided)});
  Diagnostics diagnostics;
  interpret(tree, {}, {}, diagnostics);
  return diagnostics.text();
}

TEST(CpuInterpreter, RefusesIterationsThatDependOnEachOther) {
  EXPECT_EQ(fault_of_sums(1, 0, 2), "");
  EXPECT_EQ(fault_of_sums(0, 0, 1), "");
  EXPECT_NE(fault_of_sums(0, 0, 2).find("iterations 0 and 1"), std::string::npos) << fault_of_sums(0, 0, 2);
  EXPECT_NE(fault_of_sums(1, 1, 2).find("read and write it"), std::string::npos) << fault_of_sums(1, 1, 2);
  EXPECT_EQ(fault_of_sums(2, 1, 2), "") << "each of two elements of its own";
}

TEST(CpuInterpreter, RefusesWhatHasNoValueAndWhatTakesTooLong) {
  SyntaxTree tree = one_store(0);
  tree.root = block({tree.root->children.back()});
  Diagnostics diagnostics;
  EXPECT_FALSE(interpret(tree, {}, {}, diagnostics));
  tree.root = loop("i", std::int64_t{1} << 40, {definition("a", vector_type(1))});
  EXPECT_FALSE(interpret(tree, {}, {}, diagnostics, 1000));
  EXPECT_EQ(diagnostics.count(Severity::error), 2U);
}

}  // namespace
}  // namespace convscope::cpu
