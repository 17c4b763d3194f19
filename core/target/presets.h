#pragma once
// Presets that come with a target.

#include <string>
#include <string_view>
#include <vector>

#include "core/target/target.h"

namespace convscope::target {

/// Where a target's preset of this name lies, whether it is there or not.
std::string preset_path(const Target& target, std::string_view name);

/// Names of the files in the target's folder that are presets of it, ascending. Reads files.
std::vector<std::string> preset_names(const Target& target);

}  // namespace convscope::target
