#pragma once
// Straight-line programs as text.

#include <string>
#include <string_view>

#include "core/winograd/equations/linear_program.h"

namespace convscope::winograd {

/// "add", "subtract", "scale", "multiply_add", "multiply_subtract".
std::string_view step_name(StepKind kind);
/// A value: "d2" of the inputs, whose letter is given, "t0" of step 0.
std::string value_name(const LinearProgram& program, char input, int value);
/// A step a line, "t3 = fma(5/7, t1, t0)", and then the outputs, "v0 = t3".
std::string text(const LinearProgram& program, char input, char output);

}  // namespace convscope::winograd
