#pragma once
// Families of instruction sets that code is generated for.

#include <span>
#include <string_view>

namespace convscope::cpu {

enum class Family { scalar, avx2, avx512, neon32, neon64 };

/// What generators and compilers need to know of a family; nothing of speed.
struct FamilyTraits {
  Family family;
  std::string_view key;           ///< as in paths, `--set family=` and the store: "avx512"
  int lanes;                      ///< floats of a vector
  int registers;                  ///< vector registers
  std::string_view flags;         ///< of GCC and Clang, separated by blanks; may be empty
  std::string_view clang_target;  ///< triple for cross compiling; empty: any
};

std::span<const FamilyTraits> families();
const FamilyTraits& traits(Family family);
/// Null if no family has this key.
const FamilyTraits* find_family(std::string_view key);

}  // namespace convscope::cpu
