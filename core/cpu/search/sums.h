#pragma once
// How a path's program adds: paths that add alike err alike, whatever else they decide.

#include <set>
#include <string>

#include "core/cpu/architecture/path.h"
#include "core/cpu/search/search.h"

namespace convscope::cpu {

/// Of what errors depend on: the transform with its points and remainders, the microkernel, chains of channels and the
/// order of the loops that add. A rule of the search, for seeded data that are the same in every run; no proof.
std::string sums_of(const Path& path);

/// Of those that were measured as inaccurate.
std::set<std::string> inaccurate_sums(const std::vector<Tried>& tried);

}  // namespace convscope::cpu
