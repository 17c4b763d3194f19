#pragma once
// A closed form of what a controller does with one transfer, cheap enough to search with.

#include "core/dram/parameters/address.h"
#include "core/dram/pattern/pattern.h"

namespace convscope::dram {

/// Cycles of the command clock; how it is made up stands in the source. At least the pattern's bytes at the peak of the
/// bus. An approximation: docs/dram.md has its error.
double banked_cycles(const Pattern& pattern, const Parameters& parameters);

/// The same with the address map at hand.
double banked_cycles(const Pattern& pattern, const Parameters& parameters, const AddressMap& map);

}  // namespace convscope::dram
