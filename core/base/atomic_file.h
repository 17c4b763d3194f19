#pragma once
// Files are read whole under a size cap and saved atomically: a crash or a full disk leaves the old file.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"

namespace convscope {

inline constexpr std::size_t default_file_cap = std::size_t{64} << 20;

/// The bytes of a file; nothing, with a diagnostic, if it can't be read, is a folder, or is larger than `cap` bytes.
std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics,
                                     std::size_t cap = default_file_cap);

/// Writes beside the target, syncs, then renames over it. False, with a diagnostic, leaves the old file untouched.
bool write_file_atomically(const std::string& path, std::string_view content, Diagnostics& diagnostics);

}  // namespace convscope
