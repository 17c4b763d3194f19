#pragma once
// Where a verifier's findings stand in the assembly text that a program was made of.

#include <string>
#include <vector>

#include "core/base/diagnostic.h"

namespace convscope::target {

/// Appends what was found in a program: what is about "instruction N…", as verifiers name their elements, gets the line
/// that instruction N has in the text, and the text's name. `lines` is empty for a program that was no text.
void append_at_lines(const Diagnostics& found, const std::vector<int>& lines, const std::string& file,
                     Diagnostics& diagnostics);

}  // namespace convscope::target
