#pragma once
// Whose results a file holds: only what is of the same space, sweep and program may be added to it.

#include <string>

#include "core/base/diagnostic.h"
#include "core/base/sqlite.h"
#include "core/explore/space/space.h"

namespace convscope::explore {

struct ResultsIdentity {
  std::string program;   ///< the program's name and version
  std::string strategy;  ///< of the sweep, e.g. "grid" or "random seed=1"
  Shard shard;
};

/// "2/4" for the second of four; empty for the only one.
std::string shard_text(const Shard& shard);

/// Whether a sweep of this identity may go on with the file: its meta data, the version of the program that wrote its
/// rows, and their columns. False, with a diagnostic, if not. Throws SqlError.
bool is_same_sweep(const Database& database, const std::string& path, const Space& space,
                   const ResultsIdentity& identity, Diagnostics& diagnostics);

}  // namespace convscope::explore
