// What is found in an assembly text is told at its lines: by the verifier, and by the run.

#include "core/nmp/program_tools.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "core/nmp/architecture/assembly.h"
#include "hand_program.h"

namespace convscope::nmp {
namespace {

/// 1-based line of the only `word` in a text.
int line_of(const std::string& text, const std::string& word) {
  const std::size_t place = text.find(word);
  EXPECT_NE(place, std::string::npos) << word;
  EXPECT_EQ(text.find(word, place + 1), std::string::npos) << word;
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

const Diagnostic* first_error(const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.items())
    if (each.severity == Severity::error) return &each;
  return nullptr;
}

TEST(NmpProgramTools, TheVerifierNamesLinesOfAssembly) {
  const Program program = hand_program(with_line(hand_code(), "nmp_wait 1, x8", "addi x0, x0, 0"));
  const std::string text = print_assembly(program);
  Diagnostics diagnostics;
  EXPECT_FALSE(NmpProgramTools().verify(text, "own.s", diagnostics));
  const Diagnostic* error = first_error(diagnostics);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(error->where.file, "own.s");
  EXPECT_EQ(error->where.line, line_of(text, "nmp_conv2d")) << error->text();
  EXPECT_TRUE(error->where.element.starts_with("instruction 44 ")) << error->text();

  Diagnostics simulated;
  EXPECT_FALSE(NmpProgramTools()
                   .simulate(text, "own.s", target::OptionValues(NmpSimulationTools().options()), {}, simulated)
                   .ran);
  EXPECT_EQ(simulated.items(), diagnostics.items());

  Diagnostics of_file;
  EXPECT_FALSE(NmpProgramTools().verify(write_program_file(program), "own.json", of_file));
  ASSERT_NE(first_error(of_file), nullptr);
  EXPECT_EQ(first_error(of_file)->where.line, 0) << "no line of a program file is one of assembly";
}

TEST(NmpProgramTools, ARunThatEndsNamesItsInstruction) {
  Diagnostics diagnostics;
  const Program program = hand_program(with_line(hand_code(), "nmp_store3d 4, x2, x7, 2", "lw x1, 1(x0)"));
  const auto result = run_program(program, target::OptionValues(NmpSimulationTools().options()), {}, diagnostics);
  EXPECT_FALSE(result.ran);
  ASSERT_NE(first_error(diagnostics), nullptr);
  EXPECT_EQ(first_error(diagnostics)->where.element, "instruction 47") << diagnostics.text();
}

}  // namespace
}  // namespace convscope::nmp
