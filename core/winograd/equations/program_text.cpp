#include "core/winograd/equations/program_text.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace convscope::winograd {
namespace {

std::string right_side(const LinearProgram& program, char input, const Step& step) {
  const std::string x = value_name(program, input, step.x), c = text(step.c);
  if (step.kind == StepKind::scale) return fmt::format("{} * {}", c, x);
  const std::string y = value_name(program, input, step.y);
  if (step.kind == StepKind::add) return fmt::format("{} + {}", x, y);
  if (step.kind == StepKind::subtract) return fmt::format("{} - {}", x, y);
  return fmt::format("fma({}, {}, {}{})", c, x, step.kind == StepKind::multiply_subtract ? "-" : "", y);
}

}  // namespace

std::string_view step_name(StepKind kind) {
  constexpr std::array<std::string_view, 5> names = {"add", "subtract", "scale", "multiply_add", "multiply_subtract"};
  return names[static_cast<std::size_t>(kind)];
}

std::string value_name(const LinearProgram& program, char input, int value) {
  if (value < program.inputs) return fmt::format("{}{}", input, value);
  return fmt::format("t{}", value - program.inputs);
}

std::string text(const LinearProgram& program, char input, char output) {
  std::string result;
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    result += fmt::format("t{} = {}\n", i, right_side(program, input, program.steps[i]));
  for (std::size_t i = 0; i < program.outputs.size(); ++i)
    result += fmt::format("{}{} = {}\n", output, i, value_name(program, input, program.outputs[i]));
  return result;
}

}  // namespace convscope::winograd
