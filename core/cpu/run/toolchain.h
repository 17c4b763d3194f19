#pragma once
// The system's compiler: found by name, never through a shell.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/family.h"

namespace convscope::cpu {

struct Toolchain {
  std::string compiler;  ///< path
  std::string linker;    ///< path of `ld`; empty: the compiler links
  std::string version;   ///< first line that the compiler says of itself
  bool clang = false;
};

/// Compilers that are tried if none is named.
inline constexpr std::string_view usual_compilers[] = {"g++", "clang++", "clang++-14", "c++"};

/// `wanted`: a name to be looked for in PATH, or a path; empty: the first of the usual ones. Nothing, with what is
/// missing and which package has it in `reason`, if there is none.
std::optional<Toolchain> find_toolchain(const std::string& wanted, std::string& reason);

/// Path of a program that PATH has; empty if none.
std::string find_program(std::string_view name);

/// Options that allow a family's instructions.
std::vector<std::string> family_flags(Family family);

/// Whether this processor has the family's instructions.
bool runs_here(Family family);

}  // namespace convscope::cpu
