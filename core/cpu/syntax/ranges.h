#pragma once
// Between which values forms lie, given the loops around them.

#include <map>
#include <string>

#include "core/cpu/syntax/node.h"

namespace convscope::cpu {

struct Range {
  std::int64_t low = 0, high = 0;  ///< both included
};

using Ranges = std::map<std::string, Range, std::less<>>;

/// Of a variable without a range: nothing is known, and the range is the largest.
Range range(const Affine& form, const Ranges& ranges);
bool always(const Condition& test, const Ranges& ranges);
bool never(const Condition& test, const Ranges& ranges);

}  // namespace convscope::cpu
