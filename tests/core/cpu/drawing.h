#pragma once
// Paths for tests.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/cpu/tree/tree.h"
#include "tests/core/cpu/compiled.h"

namespace convscope::cpu {

Problem problem(std::string_view text);
/// A uniformly drawn path that has the given choices; nothing if there is none.
std::optional<Path> draw_with(const Problem& problem, const std::vector<Choice>& fixed, std::uint64_t seed);
/// Small random problems with uniformly drawn paths of a family.
std::vector<Case> random_cases(Family family, std::uint64_t seed, int count);
/// The same of problems for two threads, with paths that divide a loop over them.
std::vector<Case> threaded_cases(Family family, std::uint64_t seed, int count);

}  // namespace convscope::cpu
