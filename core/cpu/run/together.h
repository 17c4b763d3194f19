#pragma once
// Several programs as one source, since a compiler that starts once is quicker than one that starts for each.

#include <optional>
#include <string>
#include <vector>

#include "core/cpu/architecture/generated.h"

namespace convscope::cpu {

/// What the function is called that a program defines.
inline constexpr const char* usual_symbol = "convolution";

/// What `together` calls the function of a program.
std::string symbol_of(std::size_t program);

/// Which of them, by index, want the same options of the compiler: a list for each kind.
std::vector<std::vector<std::size_t>> alike(const std::vector<Generated>& programs);

/// One program that defines the functions of all these, which are alike, each in a namespace of its own: instructions
/// are those that each has alone. Nothing if they can't share one: a single one, other headers, or static memory that a
/// program would be charged with for the others.
std::optional<Generated> together(const std::vector<Generated>& programs, const std::vector<std::size_t>& these);

}  // namespace convscope::cpu
