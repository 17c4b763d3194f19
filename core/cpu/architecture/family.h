#pragma once
// Families of instruction sets that code is generated for.

#include <span>
#include <string_view>

namespace convscope::cpu {

/// `avx512vbmi` has avx512's instructions, and one that moves bytes anywhere in a register: numbers of three bytes are
/// loaded by it.
enum class Family { scalar, avx2, avx512, avx512vbmi, neon32, neon64 };

constexpr bool has_512_bits(Family family) {
  return family == Family::avx512 || family == Family::avx512vbmi;
}
constexpr bool is_x86(Family family) {
  return family == Family::avx2 || has_512_bits(family);
}

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
