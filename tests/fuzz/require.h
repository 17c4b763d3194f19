#pragma once
// A property that must hold for every input: a fuzzer reports its failure as a crash, in every build type.

#include <cstdlib>

#include <fmt/core.h>

namespace convscope::fuzz {

inline void require(bool holds, const char* property) {
  if (holds) return;
  fmt::print(stderr, "violated: {}\n", property);
  std::abort();
}

}  // namespace convscope::fuzz
