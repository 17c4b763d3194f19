#pragma once
// Small programs written by hand: right ones and hostile ones.

#include <string>

#include "core/cpu/architecture/generated.h"
#include "core/cpu/architecture/problem.h"

namespace convscope::cpu::test {

/// 9x7x5 -> 6, 3x3, 'same' padding.
inline Problem small_problem() {
  Problem problem;
  problem.height = 9;
  problem.width = 7;
  problem.channels = 5;
  problem.kernels = 6;
  problem.kernel_height = problem.kernel_width = 3;
  problem.pad_top = problem.pad_left = problem.pad_bottom = problem.pad_right = 1;
  return problem;
}

/// Scalar, HWC, MYXC, HWM; `body` stands before the convolution, `before` outside of the function.
inline Generated plain_program(const Problem& p, const std::string& body = "", const std::string& before = "") {
  const auto n = [](int value) { return std::to_string(value); };
  Generated program;
  program.source =
      before + "\nextern \"C\" void convolution(const float* image, const float* kernel, float* output) {\n" + body +
      "\nfor (int h = 0; h < " + n(p.out_height()) + "; ++h) for (int w = 0; w < " + n(p.out_width()) +
      "; ++w) for (int m = 0; m < " + n(p.kernels) + "; ++m) {\n" + "float sum = 0; const int group = m / " +
      n(p.group_kernels()) + ";\n" + "for (int y = 0; y < " + n(p.kernel_height) + "; ++y) for (int x = 0; x < " +
      n(p.kernel_width) + "; ++x) {\n" + "const int row = h * " + n(p.stride_height) + " + y * " +
      n(p.dilation_height) + " - " + n(p.pad_top) + ", column = w * " + n(p.stride_width) + " + x * " +
      n(p.dilation_width) + " - " + n(p.pad_left) + ";\nif (row < 0 || row >= " + n(p.height) +
      " || column < 0 || column >= " + n(p.width) + ") continue;\nfor (int c = 0; c < " + n(p.group_channels()) +
      "; ++c)\n" + "sum += image[(row * " + n(p.width) + " + column) * " + n(p.channels) + " + group * " +
      n(p.group_channels()) + " + c] * kernel[((m * " + n(p.kernel_height) + " + y) * " + n(p.kernel_width) +
      " + x) * " + n(p.group_channels()) + " + c];\n}\n" + "output[(h * " + n(p.out_width()) + " + w) * " +
      n(p.kernels) + " + m] = sum;\n}\n}\n";
  return program;
}

}  // namespace convscope::cpu::test
