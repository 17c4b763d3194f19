#pragma once
// How long the source of a path becomes, before it is generated.

#include <cstdint>
#include <string>

#include "core/cpu/tree/plan.h"

namespace convscope::cpu {

/// Compilers take about a quarter of a millisecond for each line of register tiles.
constexpr std::int64_t most_lines = 4000;

/// Lines of the source, estimated from what is written out: tiles, unrolled iterations, copies that peeling makes. As
/// far as the path goes: a plan without padding counts none.
std::int64_t estimated_lines(const Plan& plan);
/// Why the text of the plan is too long, for people; empty if it isn't.
std::string size_fault(const Plan& plan);

}  // namespace convscope::cpu
