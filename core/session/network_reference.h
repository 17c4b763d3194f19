#pragma once
// Where the network of a session lies: referred to when saved, found again when opened.

#include <optional>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/session/session.h"

namespace convscope::session {

/// hash64 of a file's bytes; nothing, with a diagnostic, if it can't be read.
std::optional<std::uint64_t> hash_of_file(const std::string& path, Diagnostics& diagnostics);

/// The path as seen from a folder; both may be relative to the working directory.
std::string path_from(const std::string& folder, const std::string& path);

/// A path that a session's file keeps, as the program opens it: relative ones start at the file's folder.
std::string path_beside(const std::string& session_file, const std::string& path);

/// Looks where the reference says, then for a file of that name beside the session's file, then in `folders`, and
/// prefers the one with the hash of the reference. A note tells of another place, a warning of another content.
/// Nothing, with an error, if there is no such file.
std::optional<std::string> find_network(const NetworkReference& reference, const std::string& session_file,
                                        const std::vector<std::string>& folders, Diagnostics& diagnostics);

}  // namespace convscope::session
