#pragma once
// What a command reads must not be what it writes.

#include <string>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope {

/// False, with a diagnostic, if the file to write is one of those that are read, by whatever name.
bool spares_inputs(const std::string& output, const std::vector<std::string>& inputs, Diagnostics& diagnostics);

}  // namespace convscope
