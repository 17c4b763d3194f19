#pragma once
// How much of a network a machine runs: every total of a partly mapped network is shown with it.

#include <optional>

namespace convscope::artifact {

/// MACs of mapped layers / MACs of all, 0..1. Nothing for a network without MACs, neither 0 nor 1 would be true of it,
/// and where a layer multiplies, but nobody knows how much.
using Coverage = std::optional<double>;

Coverage coverage_of(double mapped_macs, double all_macs);

/// Whether totals leave MACs out.
bool is_partial(const Coverage& coverage);

/// Whether enough is mapped to compare totals. Where nothing tells how much that is, only 0 is reached.
bool reaches(const Coverage& coverage, double minimum);

}  // namespace convscope::artifact
