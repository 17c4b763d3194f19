#include "core/cpu/search/sums.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace convscope::cpu {
namespace {

constexpr std::array<std::string_view, 6> deciding{"family", "microkernel", "transform",
                                                   "points", "partial",     "block c"};

/// "co", "ci", "c", "y", "x": loops over what is added up.
bool adds(std::string_view loop) {
  return !loop.empty() && (loop.front() == 'c' || loop.front() == 'y' || loop.front() == 'x');
}

}  // namespace

std::string sums_of(const Path& path) {
  std::string text;
  for (const Choice& choice : path.choices) {
    const bool decides = std::find(deciding.begin(), deciding.end(), choice.level) != deciding.end();
    if (decides || (choice.level.starts_with("loop ") && adds(choice.value))) text += choice.value + ' ';
  }
  return text;
}

std::set<std::string> inaccurate_sums(const std::vector<Tried>& tried) {
  std::set<std::string> sums;
  for (const Tried& one : tried)
    if (one.outcome.ending == Ending::inaccurate) sums.insert(sums_of(one.path));
  return sums;
}

}  // namespace convscope::cpu
