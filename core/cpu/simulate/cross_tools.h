#pragma once
// What runs and judges programs for processors that this computer doesn't have: Clang and lld, QEMU, llvm-mca.

#include <string>
#include <vector>

#include "core/cpu/architecture/family.h"

namespace convscope::cpu {

struct CrossTools {
  std::string compiler, linker, emulator;  ///< paths; empty: not here
  std::string missing;                     ///< of these, with the packages that have them; empty: all are there
  std::string analyzer;                    ///< llvm-mca; empty: not here
};

/// For programs of an ARM family; of an x86 family without emulator, which nothing needs there.
CrossTools find_cross_tools(Family family);

/// A triple for LLVM's tools.
std::string triple_of(Family family);

/// Clang's options for a program of the family: freestanding, as arm_program.h makes it for ARM.
std::vector<std::string> cross_flags(Family family);

}  // namespace convscope::cpu
