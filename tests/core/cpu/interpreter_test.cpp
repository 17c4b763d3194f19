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
