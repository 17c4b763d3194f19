#pragma once
// Generated programs, compiled, run and compared with double precision: those of x86 in a child, whose tensors end at
// guard pages, those of ARM under user-mode QEMU.

#include <string>
#include <vector>

#include "core/cpu/architecture/path.h"
#include "core/cpu/architecture/problem.h"
#include "core/cpu/generate/generate.h"

namespace convscope::cpu {

struct Case {
  Problem problem;
  Path path;
};

struct CaseResult {
  double error = -1;  ///< -1: it wasn't run
  double bound = 0;
  std::string failure;        ///< why it wasn't run; empty if it was
  std::vector<float> output;  ///< as laid out
  bool right() const { return failure.empty() && error >= 0 && error <= bound; }
};

/// Whether programs of a family can be run here: by this processor, or by QEMU and Clang.
bool runnable(Family family);
/// In the order of the cases, which are all of one family; compiled as one program by `compiler` (for ARM by Clang).
std::vector<CaseResult> run_cases(const std::vector<Case>& cases, Family family, const std::string& compiler = "g++");

}  // namespace convscope::cpu
