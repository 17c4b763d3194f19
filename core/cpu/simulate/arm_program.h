#pragma once
// A generated convolution as a program for ARM that needs no library: tensors come through standard input, the output
// goes to standard output, by system calls of its own. So Clang and lld make it without a system for ARM, and QEMU runs
// it.

#include <cstdint>
#include <string>

#include "core/cpu/architecture/generated.h"

namespace convscope::cpu {

/// System calls, and what compilers call by themselves: transfer(read_call or write_call, file, floats, count).
extern const char* const arm_runtime;

/// How much goes through, in units of four bytes.
struct ArmTensors {
  std::int64_t image = 0, kernel = 0;  ///< read, one behind the other, each filled up to whole lines of 64 bytes
  std::int64_t output = 0;             ///< written
};
ArmTensors arm_tensors(const Generated& program, const Problem& problem);

/// The source, with its `_start`.
std::string arm_program(const Generated& program, const Problem& problem);

}  // namespace convscope::cpu
