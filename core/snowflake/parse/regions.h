#pragma once
// Where regions of DRAM lie. Source: "Compiling Deep Learning Models …", section 5.3: regions "are allocated according
// to layer dependencies".

#include <cstdint>
#include <vector>

#include "core/snowflake/architecture/program.h"

namespace convscope::snowflake {

/// Gives each region its first word, so that regions that are alive at the same time don't overlap: the largest first,
/// each at the lowest place that is free. Returns the words of all. Heuristic: not always the least memory.
std::int64_t place_regions(std::vector<Region>& regions);

}  // namespace convscope::snowflake
