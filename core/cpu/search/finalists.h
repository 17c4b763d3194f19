#pragma once
// Who is compared at the end of a search.

#include <cstddef>
#include <vector>

#include "core/cpu/search/search.h"

namespace convscope::cpu {

/// Indices of `count` variants, the fastest first: those, but for half of the places at most, which the fastest of each
/// way of storing has (the level "store"; fewer if fewer ran). A variant that runs several times in a sample finds its
/// output in the caches; in a network, and in turn with others, it doesn't. Stores around the caches take their time
/// either way, the others don't, so that the fastest alone may all be of the kind that is slower then.
std::vector<std::size_t> finalists(const std::vector<Tried>& tried, std::size_t count);

}  // namespace convscope::cpu
