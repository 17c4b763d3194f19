#pragma once
// A results file made anew: tables in order, points in order, one transaction. The same rows give the same bytes.

#include <string>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::explore {

/// Whether the copy still says which shard it was.
enum class ShardMark { keep, drop };

/// Removes what a killed copy left beside its output.
void remove_scratch(const std::string& output);

/// Replaces `output` atomically; it may be one of the inputs. False, with diagnostics, leaves it untouched.
bool copy_in_order(const std::vector<std::string>& inputs, const std::string& output, ShardMark shard,
                   Diagnostics& diagnostics);

}  // namespace convscope::explore
