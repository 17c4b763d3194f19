#pragma once
// Every program of ours writes its manual pages and completion itself, while packages are made: PROGRAM --describe
// FOLDER.

#include <optional>
#include <string>

#include "app/manual/program.h"
#include "core/base/diagnostic.h"

namespace convscope::manual {

/// The folder of `--describe FOLDER`, if that is all there is on the command line. --help doesn't tell of it.
std::optional<std::string> describe_folder(int count, const char* const* arguments);

/// Writes man/man1/NAME.1, bash-completion/completions/NAME, zsh/vendor-completions/_NAME and
/// fish/vendor_completions.d/NAME.fish below a folder, which share/ has after installation. False if that fails.
bool write_descriptions(const Program& program, const std::string& folder, Diagnostics& diagnostics);

}  // namespace convscope::manual
