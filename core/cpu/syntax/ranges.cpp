#include "core/cpu/syntax/ranges.h"

#include <algorithm>

namespace convscope::cpu {
namespace {

constexpr std::int64_t unbounded = std::int64_t{1} << 60;

}  // namespace

Range range(const Affine& form, const Ranges& ranges) {
  Range sum{form.constant, form.constant};
  for (const Affine::Term& term : form.terms) {
    const auto found = ranges.find(term.variable);
    if (found == ranges.end()) return {-unbounded, unbounded};
    const std::int64_t a = term.coefficient * found->second.low, b = term.coefficient * found->second.high;
    sum.low += std::min(a, b);
    sum.high += std::max(a, b);
  }
  return sum;
}

bool always(const Condition& test, const Ranges& ranges) {
  const Range values = range(test.form, ranges);
  return test.over ? values.high < test.limit : values.low >= 0;
}

bool never(const Condition& test, const Ranges& ranges) {
  const Range values = range(test.form, ranges);
  return test.over ? values.low >= test.limit : values.high < 0;
}

}  // namespace convscope::cpu
