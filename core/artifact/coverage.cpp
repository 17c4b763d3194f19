#include "core/artifact/coverage.h"

namespace convscope::artifact {
namespace {

// MACs of all layers and of mapped ones may be summed apart, so full coverage may miss 1 by a rounding error.
constexpr double tolerance = 1e-12;

}  // namespace

Coverage coverage_of(double mapped_macs, double all_macs) {
  if (all_macs <= 0) return std::nullopt;
  return mapped_macs / all_macs;
}

bool is_partial(const Coverage& coverage) {
  return coverage && *coverage < 1;
}

bool reaches(const Coverage& coverage, double minimum) {
  return coverage.value_or(0) >= minimum - tolerance;
}

}  // namespace convscope::artifact
