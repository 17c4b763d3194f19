#pragma once
// Files are read whole under a size cap and saved atomically: a crash or a full disk leaves the old file.

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/diagnostic.h"

namespace convscope {

inline constexpr std::size_t default_file_cap = std::size_t{64} << 20;

/// The bytes of a file; nothing, with a diagnostic, if it can't be read, is none (a folder, a pipe, a device: these may
/// never end, or never begin), or is larger than `cap` bytes.
std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics,
                                     std::size_t cap = default_file_cap);

/// As `read_file`, and what somebody writes into a pipe, as shells make them of `<(…)`; a pipe into which nobody writes
/// is refused at once. Throws Cancelled.
std::optional<std::string> read_file_or_pipe(const std::string& path, const std::stop_token& stop,
                                             Diagnostics& diagnostics, std::size_t cap = default_file_cap);

/// Writes a file without a name where the file system knows such (a killed program leaves nothing behind), else one
/// beside the target, syncs, then renames it over the target. A device is written in place, and so is a pipe from which
/// somebody reads. False, with a diagnostic, leaves the old file untouched.
bool write_file_atomically(const std::string& path, std::string_view content, Diagnostics& diagnostics);

}  // namespace convscope
